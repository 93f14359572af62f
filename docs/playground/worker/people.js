// The model `people`: who the simulated readers are like, and their readings. Runs in a worker.
"use strict";

// The files of the page, packed: a length, a JSON head, arrays one after the other.
const unpacked = async (base64) => {
  const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
  const opened = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const buffer = await new Response(opened).arrayBuffer();
  const size = new DataView(buffer).getUint32(0, true);
  const { facts, arrays } = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, size)));
  const kinds = { int8: Int8Array, uint8: Uint8Array, int16: Int16Array, uint16: Uint16Array, float32: Float32Array };
  const found = {};
  for (const [name, { kind, shape, start }] of Object.entries(arrays)) {
    const at = 4 + size + start, length = shape.reduce((a, b) => a * b, 1);
    found[name] = { shape, values: new kinds[kind](buffer.slice(at, at + length * kinds[kind].BYTES_PER_ELEMENT)) };
  }
  return heldOf(facts, found);
};

const heldOf = (facts, arrays) => {
  const text = (name) => new TextDecoder().decode(arrays[name].values);
  const buckets = new Map();
  text("frequencies").split("\n").forEach((words, k) => { if (words) for (const word of words.split(" ")) buckets.set(word, k); });
  const { pairs_alone: alone, pairs_backoff: backoff, pairs_n_seconds: sizes, pairs_seconds: seconds, pairs_given: given } = arrays;
  const starts = [0];
  for (const size of sizes.values) starts.push(starts.at(-1) + size);
  const pairs = {
    places: new Map(text("pairs_words").split("\n").map((word, k) => [word, k])), starts,
    alone: alone.values, backoff: backoff.values, seconds: seconds.values, given: given.values,
  };
  const forests = Object.fromEntries(["whole", "plain", "entropy"].map((name) => {
    const parts = ["column", "most", "left", "right", "value"].map((part) => [part, arrays[`${name}_${part}`].values]);
    return [name, { ...Object.fromEntries(parts), start: facts.small.starts[name], shape: arrays[`${name}_column`].shape }];
  }));
  const weights = Object.entries(arrays).filter(([name]) => name.startsWith("weight/")).map(([name, { values }]) => [name.slice(7), Float64Array.from(values)]);
  return { ...facts, buckets, pairs, proportions: new Map(), small: { ...facts.small, forests }, weights: Object.fromEntries(weights) };
};

// Training readers of a group who did a task; where nobody of the group did, all of the group.
const alike = (readers, group, task) => {
  const names = (wanted) => Object.keys(readers).filter((name) => Object.entries(wanted).every(([label, value]) => !value || readers[name][label] === value));
  return [{ group, task }, { group }].map(names).find((some) => some.length) ?? Object.keys(readers);
};

const conditionOf = ({ mean, sd, styles, labels, readers }, name, told, largest) => {
  const [values, nPaths] = styles[name], own = { ...readers[name], ...told };
  const style = nPaths > 1
    ? [...values.map((x, i) => (x === null ? 0 : clip((x - mean[i]) / sd[i], -largest, largest))), 1, Math.log(nPaths) / 5]
    : [...values.map(() => 0), 0, 0];
  const flags = Object.entries(labels).flatMap(([label, known]) => known.map((value) => Number(own[label] === value)));
  return Float32Array.from([...style, ...flags]);
};

// Let readers sim1, sim2, … read a text: yields what is known of the words, then each reading.
const readText = function* (held, { text, group, task, readers, seed }) {
  const words = splitWords(text), network = held.network ??= new Network(held);
  const done = task || taskOf(words);
  const features = wordFeatures(held, words), known = network.read(features);
  const context = surprisals(held, words);
  yield { words: words.map((word, i) => ({ word, length: nCharacters(word), zipf: zipf(held, word), surprisal: context[i][0] })), task: done };
  const candidates = alike(held.conditions.readers, group, done);
  const order = stream(seed, "reader", "sim").permutation(candidates.length);
  for (let k = 1; k <= readers; k++) {
    const like = candidates[order[k % candidates.length]];
    const condition = conditionOf(held.conditions, like, { group, task: done }, held.largest_deviation);
    const path = network.path(known, condition, stream(seed, "generate", "t1", `sim${k}`, 0).random);
    const durations = network.durations(known, condition, path, stream(seed, "durations", "t1", `sim${k}`, 0).random);
    yield { reader: `sim${k}`, positions: path, durations };
  }
};
