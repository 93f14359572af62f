// The page: what is asked, what the worker answers, and how it is shown. Nothing here knows of the model.
"use strict";

const find = (name) => document.getElementById(name);
const made = (name, text, rest = {}) => Object.assign(document.createElement(name), { textContent: text ?? "", ...rest });
const MOST_WORDS = 1000;
const EXAMPLES = {
  "a sentence": "The lighthouse keeper counted every ship that passed before the fog came back.",
  "a garden path": "While the man hunted the deer ran into the woods.",
  "rare words": "The abbot deciphered an obfuscated palimpsest, and the novice read the weather report.",
  "a paragraph": "Most of what we know about the deep sea was learned in the last fifty years. Before that, scientists believed that nothing could live where no light ever falls. Then a small submarine found whole forests of worms around hot springs on the ocean floor. They need no sun. They live on what the earth itself gives off, and nobody had expected them.",
};
const MEASURES = {
  time: { name: "time (ms)", of: (word) => word.time, digits: 0 },
  skipped: { name: "skipped (%)", of: (word) => 100 * word.skipped, digits: 0, most: 100 },
  back: { name: "back from (%)", of: (word) => (word.back === null ? null : 100 * word.back), digits: 0 },
  surprisal: { name: "surprisal (nats)", of: (word) => word.surprisal, digits: 1 },
};
const COLUMNS = [["", (_, k) => k + 1], ["word", ({ word }) => word], ["letters", ({ length }) => length], ["Zipf", ({ zipf }) => zipf.toFixed(2)],
  ...["surprisal", "time", "skipped", "back"].map((name) => [MEASURES[name].name, (word) => shownNumber(name, word)]),
  ["fixations", ({ fixations }) => fixations.toFixed(2)]];
const shownNumber = (name, word) => MEASURES[name].of(word)?.toFixed(MEASURES[name].digits) ?? "–";

const state = { asked: 0, question: null, words: [], readings: [] };
let worker = null, scene = null, tables = null;

// ----- the model, fetched when it is first needed

const opened = () => {
  worker ??= new Promise((ready, failed) => {
    const script = made("script", null, { src: "model.js" });
    script.onerror = () => failed(new Error("model.js is not here: make docs writes it"));
    script.onload = () => {
      const own = new Worker(URL.createObjectURL(new Blob([playgroundModel.worker], { type: "text/javascript" })));
      find("size").textContent = `${(JSON.stringify(playgroundModel).length / 1e6).toFixed(1)} MB`;
      own.onmessage = answered;
      own.onerror = (event) => say(event.message, true);
      own.postMessage({ packed: playgroundModel.packed });
      ready(own);
    };
    document.head.append(script);
  });
  return worker;
};

const say = (text, wrong = false) => {
  find("status").textContent = text;
  find("status").classList.toggle("wrong", wrong);
};

// ----- questions

const asked = () => ({
  text: find("text").value, group: find("group").value, task: find("task").value,
  readers: Number(find("readers").value), seed: Number(find("seed").value),
});

const wrongWith = ({ text, readers, seed }) => {
  const n = text.split(/\s+/).filter((word) => word).length;
  if (!n) return "Found no text, expected some words.";
  if (n > MOST_WORDS) return `Found ${n} words, expected at most ${MOST_WORDS}.`;
  if (/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text)) return "Found control characters, expected text.";
  if (!(Number.isInteger(readers) && readers >= 1 && readers <= 48)) return `Found ${find("readers").value || "no number of"} readers, expected 1 to 48.`;
  if (!(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32)) return "Found no whole number as seed, expected 0 to 4294967295.";
  return "";
};

const ask = async () => {
  const question = asked(), wrong = wrongWith(question);
  if (wrong) return say(wrong, true);
  Object.assign(state, { asked: state.asked + 1, question, words: [], readings: [] });
  history.replaceState(null, "", `#${new URLSearchParams(question)}`);
  say("Opening the model …");
  try {
    (await opened()).postMessage({ asked: state.asked, ...question });
  } catch (error) {
    say(error.message, true);
  }
};

const answered = ({ data }) => {
  if (data.failed) return say(data.failed, true);
  if (data.asked !== state.asked) return;
  if (data.words) Object.assign(state, { words: data.words, task: data.task });
  if (data.reader) {
    state.readings.push(data);
    if (state.readings.length === 1) showFirst();
    tables ??= setTimeout(showTables, 150);  // not once for every reader
  }
  const n = state.readings.length, of = state.question.readers;
  say(n < of ? `${n} of ${of} readers have read …` : `${of} reader${of > 1 ? "s" : ""} read ${state.words.length} words as a ${state.task}.`);
  if (data.done) { showTables(); showReaders(); document.body.dataset.done = state.asked; }
};

// ----- what is shown

// Of each word: mean time, share of readers who skipped it, share of the others who went back from it.
const measured = (words, readings) => {
  const sums = words.map((word) => ({ ...word, time: 0, fixations: 0, skipped: 0, back: 0, passes: 0 }));
  for (const { positions, durations } of readings) {
    positions.forEach((at, k) => { sums[at].time += durations[k]; sums[at].fixations += 1; });
    sums.forEach((word, at) => {
      const first = positions.indexOf(at);
      if (first < 0 || positions.slice(0, first).some((other) => other > at)) { word.skipped += 1; return; }
      let next = first;
      while (positions[next] === at) next += 1;
      word.passes += 1;
      word.back += Number(positions[next] < at);
    });
  }
  const n = readings.length;
  return sums.map((word) => ({
    ...word, time: word.time / n, fixations: word.fixations / n, skipped: word.skipped / n,
    back: word.passes ? word.back / word.passes : null,
  }));
};

const showTables = () => {
  clearTimeout(tables);
  tables = null;
  const words = measured(state.words, state.readings);
  showHeat(words);
  const head = made("tr"), body = made("tbody");
  head.append(...COLUMNS.map(([name]) => made("th", name, { scope: "col" })));
  body.append(...words.map((word, k) => {
    const row = made("tr");
    row.append(...COLUMNS.map(([, of]) => made("td", String(of(word, k)))));
    return row;
  }));
  const top = made("thead");
  top.append(head);
  find("words").replaceChildren(top, body);
};

const showHeat = (words) => {
  const measure = MEASURES[find("measure").value], values = words.map(measure.of);
  const most = measure.most ?? Math.max(...values, 1e-9);
  find("heat").replaceChildren(...words.flatMap((word, k) => {
    const span = made("span", word.word, { title: `${word.word}: ${measure.name} ${shownNumber(find("measure").value, word)}` });
    span.style.background = `rgb(var(--heat) / ${(0.75 * Math.max(values[k] ?? 0, 0) / most).toFixed(3)})`;
    return k ? [" ", span] : [span];
  }));
  find("scale").replaceChildren("0", made("span", "", { className: "scale-bar" }), `${most.toFixed(measure.digits)} ${measure.name}, mean of ${state.readings.length}`);
};

const showFirst = () => {
  find("shown").hidden = false;
  showReaders();
  const { text, group, task, readers, seed } = state.question;
  const quoted = `'${text.trim().replaceAll(/\s+/g, " ").replaceAll("'", "'\\''")}'`;
  find("command").textContent = `scandl generate --text ${quoted} --readers ${readers} --group ${group}${task ? ` --task ${task}` : ""} --seed ${seed}`;
};

const showReaders = () => {
  const names = state.readings.map(({ reader }) => reader), before = find("reader").value;
  const several = names.length > 1 ? [made("option", "the first four", { value: "some" })] : [];
  find("reader").replaceChildren(...names.map((name) => made("option", name, { value: name })), ...several);
  if ([...names, "some"].includes(before)) find("reader").value = before;
  else find("reader").value = names[0];
  if (!scene || scene.asked !== state.asked) showScene();
};

const showScene = () => {
  const chosen = find("reader").value;
  const readings = chosen === "some" ? state.readings.slice(0, 4) : state.readings.filter(({ reader }) => reader === chosen);
  scene?.stop.abort();
  scene = { asked: state.asked, stop: new AbortController() };
  document.querySelector(".readings").replaceChildren();
  const onsets = (durations) => durations.reduce((times, ms) => [...times, times.at(-1) + ms], [0]);
  movingScanpaths(document, {
    words: state.words.map(({ word }) => word), lines: null, width: 72, timed: true,
    readings: readings.map(({ reader, positions, durations }) => ({ name: reader, positions, onsets: onsets(durations) })),
  }, scene.stop.signal);
};

// ----- what can be taken home

const csvCell = (value) => (/[",\n\r]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : String(value));
const csv = (rows) => rows.map((row) => row.map(csvCell).join(",")).join("\n") + "\n";
const pathsTable = () => csv([
  ["model", "setting", "fold", "reader_id", "sentence_id", "sample", "predicted", "text", "durations"],
  ...state.readings.map(({ reader, positions, durations }) => ["people", "all", 0, reader, "t1", 0, positions.join(" "), state.words.map(({ word }) => word).join(" "), durations.join(" ")]),
]);
const wordsTable = () => csv([
  ["sentence_id", "word_index", "word", "length", "zipf", "surprisal", "time_ms", "skipped", "back_from", "fixations"],
  ...measured(state.words, state.readings).map((w, k) => ["t1", k, w.word, w.length, w.zipf, w.surprisal, w.time, w.skipped, w.back ?? "", w.fixations]),
]);
const save = (name, content) => {
  const link = made("a", null, { download: name, href: URL.createObjectURL(new Blob([content], { type: "text/csv" })) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
};
const share = async () => {
  try {
    await navigator.clipboard.writeText(location.href);
    say("Copied: the link holds the text and the seed.");
  } catch {
    say("The address of this page is the link: copy it from above.");
  }
};

// ----- beginning

const fromLink = () => {
  const told = new URLSearchParams(location.hash.slice(1));
  for (const name of ["text", "group", "task", "readers", "seed"]) if (told.has(name)) find(name).value = told.get(name);
  return told.has("text");
};

document.querySelector(".examples").append(...Object.entries(EXAMPLES).map(([name, text]) => {
  const button = made("button", name, { type: "button" });
  button.addEventListener("click", () => { find("text").value = text; find("task").value = ""; ask(); });
  return button;
}));
find("measure").append(...Object.entries(MEASURES).map(([value, { name }]) => made("option", name, { value })));
find("measure").addEventListener("change", () => showHeat(measured(state.words, state.readings)));
find("reader").addEventListener("change", showScene);
find("ask").addEventListener("submit", (event) => { event.preventDefault(); ask(); });
find("text").addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) ask(); });
find("save-paths").addEventListener("click", () => save("scanpaths.csv", pathsTable()));
find("save-words").addEventListener("click", () => save("words.csv", wordsTable()));
find("share").addEventListener("click", share);
addEventListener("hashchange", () => { if (fromLink()) ask(); });
if (!fromLink()) find("text").value = EXAMPLES["a sentence"];
ask();
