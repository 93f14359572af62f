// Scanpaths that move: words as text, dots and arcs in an SVG above it, one clock for all readings.
"use strict";

// Where a reading stands at a time: how many fixations have begun.
const begun = (onsets, time) => onsets.slice(0, -1).filter((start) => start <= time).length;

// Once `signal` is aborted, buttons and keys are left to another scene.
const movingScanpaths = (page, scene, signal) => {
  const SVG = "http://www.w3.org/2000/svg";
  const STACK = 21, SMALLEST = 7, LARGEST = 13, USUAL = 10;
  const find = (name) => page.getElementById(name);
  const shape = (parent, name, attributes, text) => {
    const element = page.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    parent.append(element);
    return element;
  };
  const before = (positions) => positions.map((word, k) => positions.slice(0, k).filter((each) => each === word).length);
  const end = Math.max(0, ...scene.readings.map(({ onsets }) => onsets[onsets.length - 1]));

  const room = page.querySelector(".readings");
  const panels = scene.readings.map((reading) => {
    const figure = page.createElement("figure"), caption = page.createElement("figcaption");
    const text = page.createElement("p");
    const again = before(reading.positions), deepest = 1 + Math.max(0, ...again);
    caption.textContent = reading.name;
    text.className = "text";
    text.dir = "auto";
    text.style.maxWidth = `${scene.width}ch`;
    text.style.lineHeight = `${64 + STACK * deepest}px`;
    // The room of dots is below the words, half of a line's height is above them.
    text.style.paddingBottom = `${STACK * deepest / 2}px`;
    text.style.marginTop = `${12 - STACK * deepest / 2}px`;
    const words = scene.words.map((word, k) => {
      if (k) text.append(scene.lines && scene.lines[k] !== scene.lines[k - 1] ? page.createElement("br") : " ");
      const span = page.createElement("span");
      span.textContent = word;
      text.append(span);
      return span;
    });
    const canvas = shape(text, "svg", { "aria-hidden": "true" });
    figure.append(caption, text);
    room.append(figure);
    return { reading, again, text, words, canvas };
  });

  const radius = (reading, k) => {
    if (!scene.timed) return USUAL;
    const duration = reading.onsets[k + 1] - reading.onsets[k];
    return Math.max(SMALLEST, Math.min(LARGEST, USUAL * Math.sqrt(duration / 220)));
  };
  // Dark to light in the order of time.
  const colour = (k, n) => `hsl(${230 - 40 * (k / Math.max(n - 1, 1))} 70% ${24 + 26 * (k / Math.max(n - 1, 1))}%)`;

  const draw = (time) => {
    for (const panel of panels) {
      const { reading, again, text, words, canvas } = panel;
      const n = begun(reading.onsets, time), over = time >= reading.onsets[reading.onsets.length - 1];
      if (panel.drawn === `${n} ${over} ${text.clientWidth}`) continue;
      panel.drawn = `${n} ${over} ${text.clientWidth}`;
      const from = text.getBoundingClientRect();
      canvas.replaceChildren();
      words.forEach((span, k) => span.classList.toggle("now", !over && n > 0 && reading.positions[n - 1] === k));
      const places = reading.positions.slice(0, n).map((word, k) => {
        const box = words[word].getBoundingClientRect();
        const x = box.left + box.width / 2 - from.left;
        return { x, top: box.top - from.top, y: box.bottom - from.top + 12 + STACK * again[k], line: box.top, word };
      });
      places.forEach((to, k) => {
        if (!k) return;
        const start = places[k - 1], back = to.word < start.word;
        const [y, yEnd] = back ? [start.y + 8, to.y + 8] : [start.top, to.top];
        const span = Math.abs(to.x - start.x), height = Math.min(30, 8 + 0.12 * span) * (back ? 1 : -1);
        const aside = to.word === start.word ? 7 : 0;
        const middle = start.line === to.line
          ? `C${start.x - aside} ${y + height} ${to.x + aside} ${yEnd + height} ${to.x + aside} ${yEnd}`
          : `C${start.x} ${yEnd} ${to.x} ${y} ${to.x} ${yEnd}`;
        shape(canvas, "path", { d: `M${start.x - aside} ${y}${middle}`, style: `stroke:var(--${back ? "regression" : "forward"})`, ...(start.line === to.line ? {} : { "stroke-dasharray": "4 3" }) });
      });
      places.forEach(({ x, y }, k) => {
        shape(canvas, "circle", { cx: x, cy: y, r: radius(reading, k), style: `fill:${colour(k, reading.positions.length)}${k === n - 1 && !over ? ";stroke:var(--now);stroke-width:2.5" : ";stroke:var(--faint);stroke-width:.7"}` });
        shape(canvas, "text", { x, y: y + 3 }, k + 1);
      });
      text.dataset.fixations = n;
      if (n && room.scrollHeight > room.clientHeight) {
        const box = words[reading.positions[n - 1]].getBoundingClientRect(), shown = room.getBoundingClientRect();
        if (box.top < shown.top || box.bottom > shown.bottom) room.scrollTop += box.top - shown.top - shown.height / 3;
      }
    }
    find("clock").textContent = `${(time / 1000).toFixed(2)} s of ${(end / 1000).toFixed(2)} s`;
  };

  let time = 0, last = null;
  const show = (to) => { time = Math.max(0, Math.min(end, to)); draw(time); };
  const stop = () => { last = null; find("play").textContent = "Play"; find("play").setAttribute("aria-pressed", "false"); };
  const tick = (now) => {
    if (last === null) return;
    const passed = Math.max(0, now - last) * Number(find("speed").value);
    last = now;
    show(time + passed);
    if (time >= end) return stop();
    requestAnimationFrame(tick);
  };
  const play = () => {
    if (last !== null) return stop();
    if (time >= end) show(0);
    last = performance.now();
    find("play").textContent = "Stop";
    find("play").setAttribute("aria-pressed", "true");
    requestAnimationFrame(tick);
  };
  const changes = [...new Set(scene.readings.flatMap(({ onsets }) => onsets))].sort((a, b) => a - b);
  const step = (by) => {
    stop();
    const next = by > 0 ? changes.find((each) => each > time + 1e-6) : changes.findLast((each) => each < time - 1e-6);
    show(next ?? (by > 0 ? end : 0));
  };
  const actions = { play, back: () => step(-1), on: () => step(1), first: () => { stop(); show(0); }, last: () => { stop(); show(end); } };
  for (const [name, act] of Object.entries(actions)) find(name).addEventListener("click", act, { signal });
  const keys = { " ": "play", ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };
  page.addEventListener("keydown", (event) => {
    if (!(event.key in keys) || event.target.closest("select, input, textarea")) return;
    if (event.key === " " && event.target.closest("button, summary")) return;
    event.preventDefault();
    actions[keys[event.key]]();
  }, { signal });
  find("untimed").hidden = scene.timed;
  addEventListener("resize", () => draw(time), { signal });
  signal?.addEventListener("abort", stop);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  show(still ? end : 0);
  if (!still) play();
};
