// The random numbers of scandl.seeds.stream: SHA-256 of names, NumPy's SeedSequence, PCG64 and permutation.
"use strict";

const turned = (x, n) => (x >>> n) | (x << (32 - n));

// The first 32 bits behind the point of a root, of the first primes: what SHA-256 begins and goes on with.
const [SHA_START, SHA_ROUNDS] = (() => {
  const primes = [];
  for (let n = 2n; primes.length < 64; n++) if (primes.every((p) => n % p)) primes.push(n);
  const root = (n, power) => {
    let low = 0n, high = n;
    while (low < high) {
      const middle = (low + high + 1n) / 2n;
      if (middle ** power <= n) low = middle; else high = middle - 1n;
    }
    return low;
  };
  const bits = (power) => primes.map((p) => Number(root(p << (32n * power), power) & 0xffffffffn));
  return [bits(2n).slice(0, 8), bits(3n)];
})();

const sha256 = (bytes) => {
  const padded = new Uint8Array(((bytes.length + 8 >> 6) + 1) << 6);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer), state = Uint32Array.from(SHA_START), w = new Uint32Array(64);
  view.setUint32(padded.length - 4, bytes.length * 8);
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(at + 4 * i);
    for (let i = 16; i < 64; i++) {
      const a = w[i - 15], b = w[i - 2];
      w[i] = w[i - 16] + (turned(a, 7) ^ turned(a, 18) ^ (a >>> 3)) + w[i - 7] + (turned(b, 17) ^ turned(b, 19) ^ (b >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const one = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + SHA_ROUNDS[i] + w[i] | 0;
      const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c)) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, d + one | 0, c, b, a, one + two | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => { state[i] += word; });
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => digest.setUint32(4 * i, word));
  return digest;
};

// Names are text or whole numbers, which are not the same: "7" is not 7.
const entropy = (seed, names) => {
  const key = names.map((name) => `${typeof name === "number" ? "int" : "str"}:${name}`).join("\x1f");
  const digest = sha256(new TextEncoder().encode(key));
  return [seed, ...[0, 4, 8, 12].map((at) => digest.getUint32(at, true))];
};

// O'Neill's seed_seq in the form that NumPy has: four words of 64 bits.
const seedSequence = (words) => {
  let hash = 0x43b0d7e5;
  const hashed = (value) => {
    value ^= hash;
    hash = Math.imul(hash, 0x931e8875);
    value = Math.imul(value, hash);
    return value ^ (value >>> 16);
  };
  const mixed = (x, y) => {
    const value = Math.imul(0xca01f9dd, x) - Math.imul(0x4973f715, y) | 0;
    return value ^ (value >>> 16);
  };
  const pool = [0, 1, 2, 3].map((i) => hashed(words[i]));
  for (let from = 0; from < 4; from++) {
    for (let to = 0; to < 4; to++) if (from !== to) pool[to] = mixed(pool[to], hashed(pool[from]));
  }
  for (const word of words.slice(4)) for (let to = 0; to < 4; to++) pool[to] = mixed(pool[to], hashed(word));
  hash = 0x8b51f9dd;
  const state = Array.from({ length: 8 }, (_, i) => {
    let value = pool[i % 4] ^ hash;
    hash = Math.imul(hash, 0x58f38ded);
    value = Math.imul(value, hash);
    return BigInt((value ^ (value >>> 16)) >>> 0);
  });
  return [0, 2, 4, 6].map((i) => state[i] | (state[i + 1] << 32n));
};

const WORD = (1n << 64n) - 1n, LONG = (1n << 128n) - 1n;
const PCG = (2549297995355413924n << 64n) | 4865540595714422341n;

const stream = (seed, ...names) => {
  const [high, low, seqHigh, seqLow] = seedSequence(entropy(seed, names));
  const odd = ((((seqHigh << 64n) | seqLow) << 1n) | 1n) & LONG;
  let state = (odd + ((high << 64n) | low)) & LONG, half = null;
  const step = () => { state = (state * PCG + odd) & LONG; };
  step();
  const next = () => {
    step();
    const by = state >> 122n, folded = (state >> 64n) ^ (state & WORD);
    return ((folded >> by) | (folded << (64n - by))) & WORD;
  };
  const next32 = () => {  // the lower half first, the other is kept
    if (half !== null) { const kept = half; half = null; return kept; }
    const both = next();
    half = Number(both >> 32n);
    return Number(both & 0xffffffffn);
  };
  const upTo = (most) => {  // as many bits as the largest number has, until they are one
    const mask = 2 ** (32 - Math.clz32(most)) - 1;
    let value;
    do value = (next32() & mask) >>> 0; while (value > most);
    return value;
  };
  return {
    random: () => Number(next() >> 11n) * 2 ** -53,
    permutation: (n) => {
      const order = Array.from({ length: n }, (_, i) => i);
      for (let i = n - 1; i > 0; i--) {
        const j = upTo(i);
        [order[i], order[j]] = [order[j], order[i]];
      }
      return order;
    },
  };
};
