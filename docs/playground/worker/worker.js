// Behind the page: opens the model once, then reads what was asked last, reader by reader.
"use strict";

let opened = null, latest = 0;
const pause = () => new Promise((resume) => setTimeout(resume));
onmessage = async ({ data }) => {
  const { packed, asked } = data;
  latest = asked ?? latest;
  try {
    opened ??= unpacked(packed);
    const held = await opened;
    if (asked === undefined) return postMessage({ ready: true });
    for (const part of readText(held, data)) {
      postMessage({ asked, ...part });
      await pause();  // a later question comes first
      if (asked !== latest) return;
    }
    postMessage({ asked, done: true });
  } catch (error) {
    postMessage({ asked, failed: String(error) });
  }
};
