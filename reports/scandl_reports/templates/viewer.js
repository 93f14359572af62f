// The scanpath viewer: words on a line, a dot a fixation, an arc a saccade.
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const ADVANCE = 8.4, SIZE = 14, LONGEST = 24, TOP = 96, DOT = 18, MARGIN = 16;
  const ALL = "every model";
  const RIGHT_TO_LEFT = /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;

  const shape = (parent, name, attributes, text) => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    parent.append(element);
    return element;
  };
  const option = (parent, text, value) => {
    const element = document.createElement("option");
    element.textContent = text;
    element.value = value;
    parent.append(element);
  };
  const short = (text, longest) => {
    const letters = [...text];
    return letters.length > longest ? letters.slice(0, longest - 1).join("") + "…" : text;
  };

  // Where the words stand: their centres, and the width of the line.
  const layout = (words) => {
    const seen = words.map((word) => short(word, LONGEST));
    const centres = [];
    let x = MARGIN;
    for (const word of seen) {
      const width = ADVANCE * [...word].length;
      centres.push(x + width / 2);
      x += width + ADVANCE * 1.5;
    }
    const width = x + MARGIN;
    const mirrored = RIGHT_TO_LEFT.test(words.join(" "));
    return { seen, width, centres: mirrored ? centres.map((c) => width - c) : centres };
  };

  // Each fixation's word, and how often that word was fixated before: such dots stand below each other.
  const places = (path) => {
    const visits = new Map();
    return path.map((word) => {
      const again = visits.get(word) || 0;
      visits.set(word, again + 1);
      return [word, again];
    });
  };
  const heightOf = ({ row: [, path] }) => TOP + 62 + DOT * Math.max(0, ...places(path).map(([, again]) => again));

  const drawReading = (canvas, y, sentence, place, reading, step, colour) => {
    const [shortName, path, durations, reader, distance] = reading.row;
    const name = reader === "" ? `Reader ${shortName}` : shortName;
    const base = y + TOP;
    shape(canvas, "text", { class: "who", x: MARGIN, y: y + 14, "font-size": 13 }, name);
    const far = distance === null ? "" : `${reading.distanceName} ${distance}`;
    if (far) shape(canvas, "text", { class: "far", x: MARGIN + 9 * Math.min([...name].length, 40) + 10, y: y + 14, "font-size": 12 }, far);
    if (colour) shape(canvas, "rect", { x: 2, y: y + 4, width: 6, height: 12, rx: 2, fill: colour });
    sentence.words.forEach((word, k) => {
      const text = shape(canvas, "text", { x: place.centres[k], y: base + 18, "font-size": SIZE, "text-anchor": "middle" }, place.seen[k]);
      if (place.seen[k] !== word) shape(text, "title", {}, word);
    });
    const dots = places(path).slice(0, step).map(([word, again]) => [place.centres[word] + 4 * again, word, again]);
    for (let k = 1; k < dots.length; k += 1) {
      const [a, from] = dots[k - 1], [b, to] = dots[k];
      const kind = to < from ? "regression" : to > from ? "forward" : "again";
      // A way back lies below the way there, which would hide it.
      const height = Math.min(66, 12 + Math.abs(b - a) * 0.3) * (kind === "regression" ? 0.75 : 1);
      shape(canvas, "path", { d: `M${a} ${base}C${a} ${base - height * 1.3} ${b} ${base - height * 1.3} ${b} ${base}`, style: `stroke:var(--${kind})` });
    }
    dots.forEach(([x, word, again], k) => {
      const radius = durations ? Math.max(7, Math.min(15, Math.sqrt(durations[k]) * 0.55)) : 8;
      const y = base + 38 + DOT * again;
      const back = k > 0 && word < dots[k - 1][1];
      const dot = shape(canvas, "circle", { cx: x, cy: y, r: radius, style: `fill:var(--${back ? "regression" : "forward"})`, class: k === step - 1 && step < path.length ? "now" : "" });
      if (durations) shape(dot, "title", {}, `${durations[k]} ms`);
      shape(canvas, "text", { class: "order", x, y: y + 3.5, "font-size": 9, "text-anchor": "middle" }, k + 1);
    });
  };

  const start = (viewer) => {
    const data = JSON.parse(viewer.querySelector(".viewer-data").textContent);
    const find = (name) => viewer.querySelector(`.${name}`);
    const [sentences, readers, models] = ["choose-sentence", "choose-reader", "choose-model"].map(find);
    const stage = find("stage"), status = find("status"), play = find("play");
    let step = Infinity, timer = null;

    const groups = new Map();
    data.sentences.forEach((sentence, k) => {
      if (!groups.has(sentence.group)) {
        const group = document.createElement("optgroup");
        group.label = sentence.group;
        sentences.append(group);
        groups.set(sentence.group, group);
      }
      option(groups.get(sentence.group), short(`${sentence.id}: ${sentence.words.join(" ")}`, 60), k);
    });

    const sentence = () => data.sentences[Number(sentences.value)];
    const rows = () => {
      const chosen = sentence().readings.filter(([name, , , reader]) =>
        reader === "" ? name === readers.value : reader === readers.value && (models.value === ALL || name === models.value));
      return chosen.map((row) => ({ row, distanceName: data.distance }));
    };
    const fill = (select, names) => {
      const before = select.value;
      select.replaceChildren();
      for (const name of names) option(select, name, name);
      if (names.includes(before)) select.value = before;
    };
    const choose = () => {
      const readings = sentence().readings;
      fill(readers, readings.filter(([, , , reader]) => reader === "").map(([name]) => name));
      const names = [...new Set(readings.filter(([, , , reader]) => reader === readers.value).map(([name]) => name))];
      fill(models, names.length > 1 ? [...names, ALL] : names);
      models.closest("label").hidden = names.length === 0;
      step = Infinity;
      draw();
    };
    const longest = () => Math.max(1, ...rows().map(({ row }) => row[1].length));
    const draw = () => {
      const shownRows = rows(), words = sentence(), place = layout(words.words);
      step = Math.min(step, longest());
      const heights = shownRows.map(heightOf), height = heights.reduce((a, b) => a + b, 0);
      const width = Math.max(place.width, 320);
      stage.replaceChildren();
      const canvas = shape(stage, "svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": described(shownRows, words) });
      let y = 0;
      shownRows.forEach((reading, k) => {
        drawReading(canvas, y, words, place, reading, step, data.colours[reading.row[0]]);
        y += heights[k];
      });
      status.textContent = step >= longest() ? "" : shownRows.map(({ row }) => told(row, words)).join(" · ");
    };
    const told = ([name, path, durations], words) => {
      if (step > path.length) return `${name}: finished after ${path.length}`;
      const time = durations ? `, ${durations[step - 1]} ms` : "";
      return `${name}: fixation ${step} of ${path.length} on “${short(words.words[path[step - 1]], LONGEST)}”${time}`;
    };
    const described = (shownRows, words) => shownRows.map(({ row: [name, path] }) =>
      `${name}: ${path.map((word) => words.words[word]).join(", ")}`).join(". ");

    const stop = () => {
      clearTimeout(timer);
      timer = null;
      play.setAttribute("aria-pressed", "false");
      play.textContent = "Play";
    };
    const go = (to) => {
      step = Math.max(1, Math.min(longest(), to));
      draw();
    };
    const tick = () => {
      if (step >= longest()) return stop();
      go(step + 1);
      const times = rows().map(({ row }) => (row[2] ? row[2][step - 1] : undefined)).filter((time) => time !== undefined);
      // The rows keep step with each other, so the longer of two fixations is waited for.
      timer = setTimeout(tick, times.length ? Math.max(...times) : 250);
    };
    const toggle = () => {
      if (timer !== null) return stop();
      if (step >= longest()) go(1);
      play.setAttribute("aria-pressed", "true");
      play.textContent = "Pause";
      timer = setTimeout(tick, 250);
    };
    for (const [name, to] of [["first", () => 1], ["back", () => step - 1], ["next", () => step + 1], ["last", () => Infinity]]) {
      find(name).addEventListener("click", () => { stop(); go(to()); });
    }
    play.addEventListener("click", toggle);
    for (const select of [sentences, readers, models]) select.addEventListener("change", () => { stop(); choose(); });
    choose();
  };
  document.querySelectorAll(".viewer").forEach(start);
})();
