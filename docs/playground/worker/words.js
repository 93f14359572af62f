// What the network is told of words: scandl.text (characters, word_frequency, word_pairs, small_surprisal) and
// scandl.models.pointer.words in JavaScript. `held` has the numbers and lists that the Python modules have.
"use strict";

const SPACE = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;
const splitWords = (text) => text.split(SPACE).filter((word) => word);

const isWordSign = (sign) => /^[\p{L}\p{N}\p{M}]$/u.test(sign);
const isLetterOrDigit = (sign) => /^[\p{L}\p{N}]$/u.test(sign);
const isDigit = (sign) => /^[\p{Nd}\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2468]$/u.test(sign);
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const nCharacters = (word) => (/^[\x00-\x7f]*$/.test(word) ? word.length : [...graphemes.segment(word)].length);
const fround = Math.fround;

const bareWord = (word) => {
  const signs = [...word], first = signs.findIndex(isWordSign);
  return first < 0 ? "" : signs.slice(first, signs.findLastIndex(isWordSign) + 1).join("").replaceAll("’", "'");
};
const strippedOf = (signs, word) => {
  const all = [...word];
  let first = 0, end = all.length;
  while (first < end && signs.includes(all[first])) first++;
  while (first < end && signs.includes(all[end - 1])) end--;
  return all.slice(first, end);
};
const endsWith = (held, word, signs) => {
  let end = word.length;
  while (end && held.closing.includes(word[end - 1])) end--;
  return signs.some((sign) => word.slice(0, end).endsWith(sign));
};
const endsClause = (held, word) => endsWith(held, word, held.clause);
const endsSentence = (held, word) => endsWith(held, word, held.sentence);

// ----- frequency, as wordfreq tells it

const folded = (text) => [...text].map((sign) => (sign === "ı" ? sign : sign.toUpperCase().toLowerCase())).join("");

// Word breaks of Unicode (UAX 29), which browsers of several years tell differently for U.S., and two rules of
// wordfreq: l'arc is two tokens, and @ may end one.
const [LETTER, DIGIT, MARKED, WORD_LIKE] = ["\\p{Alphabetic}", "\\p{Nd}", "[\\p{M}\\p{Cf}]*", "[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}]"];
const EITHER = "'.\\u2018\\u2019\\u2024\\ufe52\\uff07\\uff0e";
const IN_WORD = `(?<=${LETTER}${MARKED})[:\\u00b7\\u05f4\\u2027\\ufe13\\ufe55\\uff1a${EITHER}]${MARKED}(?=${LETTER})`;
const IN_NUMBER = `(?<=${DIGIT}${MARKED})[,;\\u037e\\u0589\\u060c\\u060d\\u066c\\u07f8\\u2044\\ufe10\\ufe14\\ufe50\\ufe54\\uff0c\\uff1b${EITHER}]${MARKED}(?=${DIGIT})`;
const TOKEN = `(?:[${LETTER}${DIGIT}\\p{Pc}\\u202f]${MARKED}(?:${IN_WORD}|${IN_NUMBER})?)+(?:@s?(?!${WORD_LIKE}))?`;
const tokensOf = (held, word) => {
  const begins = new RegExp(`${WORD_LIKE}{1,2}(?='${held.vowels})|${TOKEN}|@s(?!${WORD_LIKE})|\\p{So}${MARKED}`, "gu");
  const found = folded(word.normalize("NFC")).match(begins) ?? [];
  return found.map((token) => token.replace(/^'+|'+$/g, "").replace(/[‘’]/g, "'"));
};

const digitShare = (held, digits) => {
  const benford = held.digits[Number(digits[0])] / 10 ** (digits.length - 1);
  if (digits.length !== 4) return benford;
  const year = Number(digits), { peak, now, plateau, other } = held.years;
  const log = year <= now ? peak - 0.0083 * (now - year) : year <= now + plateau ? peak : peak - 0.2 * (year - now - plateau);
  return 10 ** log + other * benford;
};

const tokenFrequency = (held, token) => {
  let share = 1;
  const smashed = token.replace(/\d[\d.,]+/g, (number) => {
    for (const digits of number.match(/\d+/g)) share *= digitShare(held, digits);
    return number.replace(/\d/g, "0");
  });
  const bucket = held.buckets.get(smashed);
  return bucket === undefined ? 0 : 10 ** (-bucket / 100) * share;
};

const wordFrequency = (held, word) => {
  const tokens = tokensOf(held, word);
  let inverse = 0;
  for (const token of tokens) inverse += 1 / tokenFrequency(held, token);
  return tokens.length && inverse < Infinity ? Number((1 / inverse).toPrecision(3)) : 0;
};

const proportion = (held, word) => {
  if (!held.proportions.has(word)) {
    const bare = bareWord(word);
    const whole = bare ? wordFrequency(held, bare.replaceAll("-", "")) : 0;
    held.proportions.set(word, bare.includes("-") ? Math.max(whole, held.of_parts * wordFrequency(held, bare)) : whole);
  }
  return held.proportions.get(word);
};
const zipf = (held, word) => Math.log10(Math.max(proportion(held, word), held.zipf_floor) * 1e9);
const unigramNats = (held, word) => -Math.log(Math.max(proportion(held, word), held.nats_floor));

// ----- how expected words are

// The place of a value in a part of an ascending array; -1 where it is not there.
const found = (values, value, first, end) => {
  while (first < end) {
    const middle = (first + end) >> 1;
    if (values[middle] < value) first = middle + 1; else end = middle;
  }
  return values[first] === value ? first : -1;
};

// Surprisal after the word before, NaN for punctuation alone.
const pairNats = (held, words) => {
  const { pairs } = held;
  let before = pairs.places.get("<s>");
  return words.map((word) => {
    const form = bareWord(word).toLowerCase();
    if (!form) return NaN;
    const after = before, at = pairs.places.get(form);
    before = at;
    if (at === undefined) return unigramNats(held, word);
    if (after === undefined) return pairs.alone[at] / 100;
    const own = found(pairs.seconds, at, pairs.starts[after], pairs.starts[after + 1]);
    const listed = own >= pairs.starts[after] && own < pairs.starts[after + 1];
    return listed ? pairs.given[own] / 10 : pairs.alone[at] / 100 - pairs.backoff[after] / 100;
  });
};

const wordColumns = (held, words) => {
  const nats = pairNats(held, words).map((x) => (Number.isNaN(x) ? 0 : x));
  const seen = new Map();
  let sum = 0;
  return words.map((word, i) => {
    const form = bareWord(word).toLowerCase(), before = i ? words[i - 1] : "";
    const apart = seen.has(form) ? i - 1 - seen.get(form) : held.far;
    const first = [...word][0], firstBefore = [...before][0] ?? "";
    const row = {
      zipf: zipf(held, word), length: nCharacters(word), first: i === 0,
      zipf_1: i ? zipf(held, before) : 8, length_1: i ? nCharacters(before) : 0,
      zipf_2: i > 1 ? zipf(held, words[i - 2]) : 8, nats_1: i ? nats[i - 1] : 0,
      place: Math.min(i, held.longest_place), sentence_1: endsSentence(held, before), clause_1: endsClause(held, before),
      mean_nats: i ? sum / i : 4, nats: nats[i], capital: /^\p{Uppercase}/u.test(first), capital_1: /^\p{Uppercase}/u.test(firstBefore),
      digit: [...word].some(isDigit), clause: endsClause(held, word), sentence: endsSentence(held, word),
      mark: !isLetterOrDigit(first), again: apart < held.far, apart,
    };
    sum += nats[i];
    if (form) seen.set(form, i);
    return row;
  });
};

// The sum of the leaves that a row leads to; names are those of the forest's columns.
const forestValue = (forest, names, row) => {
  const seen = Float32Array.from(names, (name) => Number(row[name]));
  const [trees, nodes] = forest.shape;
  let sum = 0;
  for (let tree = 0; tree < trees; tree++) {
    let at = tree * nodes;
    for (;;) {
      const next = tree * nodes + (seen[forest.column[at]] <= forest.most[at] ? forest.left : forest.right)[at];
      if (next === at) break;
      at = next;
    }
    sum += forest.value[at];
  }
  return forest.start + sum;
};

const surprisals = (held, words) => {
  const { forests, names } = held.small;
  return wordColumns(held, words).map((row) => {
    const plain = forestValue(forests.plain, names.plain, row), whole = forestValue(forests.whole, names.whole, row);
    const entropy = forestValue(forests.entropy, names.entropy, row);
    return [Math.max(plain + held.small.gain * (whole - plain), held.least_nats), Math.max(entropy, 0)];
  });
};

// ----- one row of numbers per word

const edges = (held, at, nWords) => {
  const [start, end] = [Math.max(at, 0), Math.max(nWords - 1 - at, 0)];
  return [start, end].flatMap((distance) => held.fading.map((scale) => fround(Math.exp(-distance / scale))));
};

const lexical = (held, word) => {
  const signs = [...word], length = Math.min(nCharacters(word), 20);
  const letters = signs.filter((sign) => isWordSign(sign) && !isDigit(sign)).join("");
  return [
    (length - 5) / 2.5, signs.some(isWordSign) ? zipf(held, word) - 5 : held.of_marks, Number(/^\p{Uppercase}/u.test(word)), Number(!isWordSign(signs.at(-1))),
    Number(signs.some(isDigit)), nCharacters(letters) / nCharacters(word),
  ];
};

const wordFeatures = (held, words) => {
  const context = surprisals(held, words);
  return words.map((word, i) => {
    const length = held.classes.filter((least) => least <= Math.min(nCharacters(word), 20) + 0.5).length;
    const inner = strippedOf(held.marks, word);
    const [surprisal, entropy] = context[i].map((nats) => (nats - held.typical_nats) / held.sd_nats);
    return Float32Array.from([
      ...lexical(held, word),
      ...Array.from({ length: held.classes.length + 1 }, (_, k) => Number(k === length)),
      ...[endsClause(held, word), endsSentence(held, word), !isWordSign([...word][0]), !inner.every(isWordSign)].map(Number),
      1, held.gain * (context[i][0] - held.typical_nats) / held.sd_nats, entropy,
      0, 0, 0,  // no lines
      ...edges(held, i, words.length),
    ]);
  });
};

// A sentence by itself, or a paragraph: long, with the end of a sentence within.
const taskOf = (words) => {
  const ended = words.slice(0, -1).some((word) => /[.!?…]["'”’)\]»]*$/u.test(word));
  return ended && words.length >= 30 ? "paragraph" : "sentence";
};
