// The word-pointing network drawing a path in order of time: scandl.models.pointer in JavaScript. Numbers are
// doubles; where Python rounds to single precision, so does this.
"use strict";

// Φ from its derivatives around points a 32nd apart, each point's value by Marsaglia's series (2004).
const [PHI_STEP, PHI_MOST] = [1 / 32, 9];
const PHI = Float64Array.from({ length: PHI_MOST / PHI_STEP + 1 }, (_, k) => {
  const x = k * PHI_STEP;
  let sum = x, term = x, before = NaN;
  for (let n = 3; sum !== before; n += 2) [before, term] = [sum, term * x * x / n], sum += term;
  return 0.5 + sum * Math.exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI);
});
const density = (x) => Math.exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI);
const phi = (value) => {
  const size = Math.abs(value);
  if (size >= PHI_MOST) return value < 0 ? 0 : 1;
  const k = Math.round(size / PHI_STEP), x = k * PHI_STEP, h = size - x;
  // Hermite polynomials give the derivatives of the density.
  let hermite = 1, last = 0, power = h, sum = 0;
  for (let n = 1; n <= 7; n++) {
    sum += hermite * power;
    [hermite, last] = [-(x * hermite + (n - 1) * last), hermite];
    power *= h / (n + 1);
  }
  const upper = PHI[k] + density(x) * sum;
  return value < 0 ? 1 - upper : upper;
};

// The upper tail by its continued fraction, for Φ where 1 − Φ would lose digits.
const tail = (x) => {
  let fraction = x;
  for (let k = 60; k >= 1; k--) fraction = x + k / fraction;
  return density(x) / fraction;
};
// z with Φ(z) = u, by Newton's steps in the logarithm of the smaller tail.
const phiInverse = (u) => {
  const small = Math.min(u, 1 - u);
  let z = Math.sqrt(Math.max(0, -2 * Math.log(2 * small)));
  for (let k = 0; k < 12; k++) {
    const below = z > 3 ? tail(z) : 1 - phi(z);
    z += (Math.log(below) - Math.log(small)) * below / density(z);
  }
  return u < 0.5 ? -z : z;
};
const gelu = (x) => { for (let i = 0; i < x.length; i++) x[i] *= phi(x[i]); return x; };
const softplus = (x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
const clip = (x, least, most) => Math.min(Math.max(x, least), most);
const evenly = (x) => { const whole = Math.round(x); return whole - x === 0.5 && whole % 2 ? whole - 1 : whole; };

class Network {
  constructor(held) {
    this.held = held;
    this.weights = held.weights;
    this.width = held.weights["path_norm.bias"].length;
    this.kept = new Map();
  }

  layers(stack) {
    return Object.keys(this.weights).filter((name) => name.startsWith(`${stack}.`) && name.endsWith(".wide.bias")).map((_, k) => `${stack}.${k}`);
  }

  linear(name, x) {
    const weight = this.weights[`${name}.weight`], bias = this.weights[`${name}.bias`];
    const out = new Float64Array(bias.length), n = x.length;
    for (let row = 0, at = 0; row < out.length; row++) {
      let a = 0, b = 0, i = 0;
      for (; i + 1 < n; i += 2, at += 2) { a += weight[at] * x[i]; b += weight[at + 1] * x[i + 1]; }
      if (i < n) a += weight[at++] * x[i];
      out[row] = a + b + bias[row];
    }
    return out;
  }

  norm(name, x) {
    const scale = this.weights[`${name}.weight`], shift = this.weights[`${name}.bias`], n = x.length;
    let mean = 0, square = 0;
    for (let i = 0; i < n; i++) mean += x[i] / n;
    for (let i = 0; i < n; i++) square += (x[i] - mean) ** 2 / n;
    const size = Math.sqrt(square + 1e-5);
    return x.map((value, i) => (value - mean) / size * scale[i] + shift[i]);
  }

  perceptron(name, x) {
    return this.linear(`${name}.2`, gelu(this.linear(`${name}.1`, gelu(this.linear(`${name}.0`, x)))));
  }

  bin(distance) { return clip(distance, -this.held.far_distance - 1, this.held.far_distance + 1) + this.held.far_distance + 1; }

  fall(distance) { const first = this.held.far_distance + 1; return Math.log(Math.max(Math.abs(distance), first) / first); }

  // How much each head of a layer looks at what lies at a distance: table, then a fall with its logarithm.
  bias(name, distance, head) {
    const heads = this.held.heads, slope = this.weights[`${name}.relative.slope`];
    return this.weights[`${name}.relative.table`][this.bin(distance) * heads + head]
      - this.fall(distance) * softplus(slope[(distance > 0 ? heads : 0) + head]);
  }

  // One place attends to some places, whose keys and values follow each other in `known`; x is changed.
  block(name, x, query, known, distances) {
    const { width } = this, heads = this.held.heads, size = width / heads, n = distances.length;
    const mixed = new Float64Array(width), scores = new Float64Array(n);
    const { reach, table } = this.biases(name, Math.max(n, this.held.horizon));
    for (let head = 0; head < heads; head++) {
      const bias = table[head];
      let most = -Infinity, total = 0;
      for (let j = 0; j < n; j++) {
        let sum = 0;
        for (let d = head * size, at = j * width + d; d < (head + 1) * size; d++, at++) sum += query[d] * known.keys[at];
        scores[j] = sum / Math.sqrt(size) + bias[distances[j] + reach];
        if (scores[j] > most) most = scores[j];
      }
      for (let j = 0; j < n; j++) total += scores[j] = Math.exp(scores[j] - most);
      for (let j = 0; j < n; j++) {
        for (let d = head * size, at = j * width + d; d < (head + 1) * size; d++, at++) mixed[d] += scores[j] / total * known.values[at];
      }
    }
    const attended = this.linear(`${name}.attended`, mixed);
    for (let i = 0; i < width; i++) x[i] += attended[i];
    const narrow = this.linear(`${name}.narrow`, gelu(this.linear(`${name}.wide`, this.norm(`${name}.forward_norm`, x))));
    for (let i = 0; i < width; i++) x[i] += narrow[i];
  }

  // The biases of a layer by head and distance, from −reach to reach.
  biases(name, reach) {
    const own = this.kept.get(name);
    if (own?.reach >= reach) return own;
    const table = Array.from({ length: this.held.heads }, (_, head) => Float64Array.from({ length: 2 * reach + 1 }, (_, k) => this.bias(name, k - reach, head)));
    this.kept.set(name, { reach, table });
    return this.kept.get(name);
  }

  parts(name, x) {
    const all = this.linear(`${name}.query_key_value`, this.norm(`${name}.attention_norm`, x)), { width } = this;
    return [all.subarray(0, width), all.subarray(width, 2 * width), all.subarray(2 * width)];
  }

  // A text is read once: what is seen of each word near the eyes, what is pointed at, how it attracts from afar.
  read(features) {
    const { width } = this, n = features.length;
    const words = features.map((row) => this.linear("words", row));
    for (const name of this.layers("word_blocks")) {
      const known = { keys: new Float64Array(n * width), values: new Float64Array(n * width) };
      const queries = words.map((x, i) => {
        const [query, key, value] = this.parts(name, x);
        known.keys.set(key, i * width);
        known.values.set(value, i * width);
        return query;
      });
      words.forEach((x, i) => this.block(name, x, queries[i], known, Array.from({ length: n }, (_, j) => j - i)));
    }
    const normed = words.map((x) => this.norm("word_norm", x));
    const of = (name) => normed.map((x) => this.linear(name, x));
    return { n, features, near: of("near"), keys: of("keys"), byDistance: of("by_distance") };
  }

  // ----- a path

  path(text, condition, random) {
    const total = this.drawLength(text, condition, random());
    const uniforms = Array.from({ length: total }, random);
    const { horizon } = this.held, { width } = this;
    const memory = new Map(this.layers("path_blocks").map((name) => [name, { keys: new Float64Array(horizon * width), values: new Float64Array(horizon * width) }]));
    const told = this.linear("condition", condition), path = [];
    let before = Before.nothing(text.n);
    for (let place = 0; place < total; place++) {
      const after = { next: text.n, second: text.n, nextPlace: total, secondPlace: total, nKnown: 0 };
      const state = this.state(before, after, place, total, text.n, -1);
      const x = this.linear("tokens", this.tokens(text, state));
      for (let i = 0; i < width; i++) x[i] += told[i];
      const slot = place % horizon;
      const ages = Array.from({ length: Math.min(place + 1, horizon) }, (_, j) => -((place - j) % horizon));
      for (const [name, known] of memory) {
        const [query, key, value] = this.parts(name, x);
        known.keys.set(key, slot * width);
        known.values.set(value, slot * width);
        this.block(name, x, query, known, ages);
      }
      const word = this.pointed(text, this.norm("path_norm", x), state, uniforms[place]);
      path.push(word);
      before = before.step(word, place);
    }
    return path;
  }

  drawLength(text, condition, u) {
    const { lengths } = this.held;
    const means = lengths.of_text.map((column) => text.features.reduce((sum, row) => sum + row[column], 0) / text.n);
    const ofText = [...means, Math.log(Math.min(text.n, lengths.long) / 12)].map(fround);
    const parameters = this.perceptron("length", Float64Array.from([...ofText, ...condition]));
    const k = parameters.length / 3, logits = parameters.subarray(0, k), most = Math.max(...logits);
    const shares = logits.map((x) => Math.exp(x - most)), whole = shares.reduce((a, b) => a + b);
    const sds = parameters.subarray(2 * k).map((x) => Math.exp(clip(lengths.typical + x, lengths.least, lengths.most)));
    const longest = this.held.most_per_word * text.n;
    const below = Array.from({ length: longest }, (_, n) => {
      const limit = Math.log((n + 1.5) / text.n);
      return shares.reduce((sum, share, c) => sum + share / whole * phi((limit - parameters[k + c]) / sds[c]), 0);
    });
    return 1 + below.slice(0, -1).filter((x) => x <= u * below[longest - 1]).length;
  }

  // What is told at a place: references, words around them, numbers; `own` is its word, −1 where it is hidden.
  state(before, after, place, total, nWords, own) {
    const { window } = this.held;
    const share = (place - before.lastPlace) / Math.max(after.nextPlace - before.lastPlace, 1);
    const guess = clip(evenly(before.last + (after.next - before.last) * share), 0, nWords - 1);
    const middle = own < 0 ? guess : own;
    const around = [...window.map((w) => before.last + w), ...window.map((w) => after.next - w), ...window.map((w) => middle + w)];
    return {
      references: [before.last, before.previous, before.furthest, after.next, after.second, middle],
      gap: Math.max(place - before.lastPlace, 1),
      visits: before.visits,
      around: around.map((at) => (at < 0 || at >= nWords ? -1 : at)),
      scalars: this.scalars(before, after, Math.min(place, total - 1), total, nWords, own, middle),
    };
  }

  scalars(before, after, place, total, nWords, own, middle) {
    const fixations = Math.max(before.nKnown, 1), passed = before.furthest + 1, behind = before.furthest - before.last;
    const [gapBefore, gapAfter] = [place - before.lastPlace, after.nextPlace - place];
    const gaps = [gapBefore, gapAfter, before.lastPlace - before.previousPlace, after.secondPlace - after.nextPlace];
    const most = this.held.saccades;
    const saccade = (size) => Array.from({ length: 2 * most + 1 }, (_, k) => Number(k === clip(size, -most, most) + most));
    return Float32Array.from([
      own >= 0, (place + 0.5) / total, Math.log(total / nWords),
      Math.log((total - place) / (nWords - before.furthest)), Math.log((place + 1) / (passed + 1)),
      before.nKnown / Math.max(place, 1), after.nKnown / Math.max(total - place - 1, 1),
      place === 0, place === total - 1, before.lastPlace < 0, after.nextPlace >= total,
      1 / (place + 1), 1 / (total - place), Math.log1p(Math.max(gapBefore, 0)), Math.log1p(Math.max(gapAfter, 0)),
      ...gaps.flatMap((gap) => [1, 2, 3].map((size) => Number(gap === size))),
      before.nRegressions / fixations, before.nRefixations / fixations, 1 - before.nRead / Math.max(passed, 1),
      passed / nWords, before.furthest >= nWords - 1, Math.log1p(before.sinceEnd), Math.log1p(behind), behind === 0,
      Math.min(behind, 4) / 4,
      ...[before.last - before.previous, after.next - before.last, after.second - after.next, middle - before.last, after.next - middle].flatMap(saccade),
      ...[before.last, before.furthest, after.next, middle].flatMap((at) => edges(this.held, at, nWords)),
    ].map(Number));
  }

  // How often the words around are known to be fixated before; in order of time nothing is known after.
  visitsAround(state) {
    const most = this.held.most_visits;
    return state.around.map((at) => (at < 0 ? 0 : fround(Math.min(state.visits[at], most) / most)));
  }

  tokens(text, state) {
    const seen = this.visitsAround(state), wide = this.weights["near.bias"].length, n = state.scalars.length;
    const row = new Float64Array(n + 2 * seen.length + seen.length * wide);
    row.set(state.scalars);
    row.set(seen, n);
    state.around.forEach((at, k) => { if (at >= 0) row.set(text.near[at], n + 2 * seen.length + k * wide); });
    return row;
  }

  pointed(text, x, state, u) {
    const { behind, ahead, leap, lines, far_distance: far } = this.held, { width } = this;
    const size = Math.min(behind + 1 + ahead, text.n);
    const [last, , furthest] = state.references;
    const first = clip(last - behind, 0, Math.max(text.n - size, 0));
    const byPlace = this.linear("query_by_distance", x), query = this.linear("queries", x);
    const byVisits = this.linear("query_by_visits_before", x), never = this.linear("query_by_visits_after", x)[0];
    const sameLine = this.linear("query_by_line", x)[lines];
    const slope = this.weights.slope, nBins = 2 * far + 3, fallAhead = softplus(this.weights.ahead[0]);
    const logits = new Float64Array(size);
    let most = -Infinity;
    for (let k = 0; k < size; k++) {
      const word = first + k, key = text.keys[word], own = text.byDistance[word];
      if (word - last > leap) { logits[k] = -Infinity; continue; }
      let sum = 0;
      for (let d = 0; d < width; d++) sum += query[d] * key[d];
      sum /= Math.sqrt(width);
      state.references.forEach((reference, r) => {
        const distance = word - reference, column = r * nBins + this.bin(distance);
        sum += byPlace[column] + own[column];
        if (Math.abs(distance) > far + 1) sum -= this.fall(distance) * softplus(slope[2 * r + (distance > 0 ? 1 : 0)]);
      });
      sum += byVisits[Math.min(state.visits[word], this.held.most_visits)] + never + sameLine;
      logits[k] = sum - Math.max((word - furthest) / state.gap - far, 0) * fallAhead;
      if (logits[k] > most) most = logits[k];
    }
    let total = 0, sum = 0, chosen = 0;
    for (let k = 0; k < size; k++) total += logits[k] = Math.exp(logits[k] - most);
    for (let k = 0; k < size - 1; k++) { sum += logits[k] / total; if (sum <= u) chosen = k + 1; else break; }
    return first + chosen;
  }

  // ----- its durations, in whole ms

  durations(text, condition, path, random) {
    const { timing } = this.held, none = text.features[0].map(() => 0);
    let before = Before.nothing(text.n);
    return path.map((word, place) => {
      const n = path.length, at = (k) => (k < n ? path[k] : text.n);
      const after = { next: at(place + 1), second: at(place + 2), nextPlace: Math.min(place + 1, n), secondPlace: Math.min(place + 2, n), nKnown: n - place - 1 };
      const state = this.state(before, after, place, n, text.n, word);
      const around = timing.around.flatMap((offset) => [...(text.features[word + offset] ?? none)]);
      const row = [...state.scalars, ...this.visitsAround(state).slice(-this.held.window.length), ...around, ...condition];
      before = before.step(word, place);
      const parameters = this.perceptron("duration", Float64Array.from(row)), k = parameters.length / 3;
      const logits = parameters.subarray(0, k), most = Math.max(...logits);
      const share = Math.exp(logits[0] - most) / logits.reduce((sum, x) => sum + Math.exp(x - most), 0);
      const [which, u] = [random() >= share ? 1 : 0, clip(random(), 1e-6, 1 - 1e-6)];
      const sd = Math.exp(clip(parameters[2 * k + which] - 1, timing.least, timing.most));
      return Math.max(evenly(Math.exp(timing.typical + parameters[k + which] + sd * phiInverse(u))), 1);
    });
  }
}

// What is known of the fixations before a place.
class Before {
  static nothing(nWords) {
    const zero = { nKnown: 0, nRead: 0, nRegressions: 0, nRefixations: 0, sinceEnd: 0, visits: new Uint16Array(nWords) };
    return Object.assign(new Before(), { last: -1, previous: -1, lastPlace: -1, previousPlace: -1, furthest: -1, nWords, ...zero });
  }

  step(word, place) {
    const started = this.lastPlace >= 0, isNew = this.visits[word] === 0;
    this.visits[word] += 1;
    return Object.assign(new Before(), this, {
      last: word, previous: this.last, lastPlace: place, previousPlace: this.lastPlace,
      furthest: Math.max(this.furthest, word), nKnown: this.nKnown + 1, nRead: this.nRead + Number(isNew),
      nRegressions: this.nRegressions + Number(started && word < this.last),
      nRefixations: this.nRefixations + Number(started && word === this.last),
      sinceEnd: this.sinceEnd + Number(this.furthest >= this.nWords - 2),
    });
  }
}
