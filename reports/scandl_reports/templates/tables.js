"use strict";
// Sorting of tables, and saving of drawings.
(() => {
  const value = (row, column) => {
    const text = row.cells[column].dataset.sort ?? row.cells[column].textContent; // left out where it is what is shown
    const number = text.trim() === "" ? NaN : Number.parseFloat(text);
    return [number, text];
  };
  const order = (a, b) => {
    const [n, s] = a, [m, t] = b;
    if (Number.isNaN(n) !== Number.isNaN(m)) return Number.isNaN(n) ? 1 : -1;
    return Number.isNaN(n) ? s.localeCompare(t, undefined, { numeric: true }) : n - m;
  };
  const missing = ([, text]) => text === "";
  for (const button of document.querySelectorAll("button.sort")) {
    button.addEventListener("click", () => {
      const head = button.closest("th"), table = button.closest("table"), body = table.tBodies[0];
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...body.rows].map((row) => [value(row, head.cellIndex), row]);
      rows.sort(([a], [b]) => {
        // What is not known stands last, whichever way the rest is sorted.
        if (missing(a) || missing(b)) return missing(a) - missing(b);
        return down ? order(b, a) : order(a, b);
      });
      body.append(...rows.map(([, row]) => row));
    });
  }
  for (const button of document.querySelectorAll("button.save-svg")) {
    button.addEventListener("click", () => {
      const drawing = button.closest("figure").querySelector("svg").cloneNode(true);
      drawing.removeAttribute("aria-hidden");
      drawing.removeAttribute("focusable");
      const { ink, rule } = document.body.dataset;
      const text = new XMLSerializer().serializeToString(drawing)
        .replaceAll("currentColor", ink).replaceAll("var(--rule)", rule);
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
      link.download = button.dataset.name;
      link.click();
      URL.revokeObjectURL(link.href);
    });
  }
})();
