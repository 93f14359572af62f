// Behind the page: opens the model once, then reads what it is asked to.
"use strict";

let opened = null;
onmessage = async ({ data }) => {
  try {
    if (data.packed) { opened = unpacked(data.packed); await opened; return postMessage({ ready: true }); }
    const held = await opened;
    readText(held, data, (part) => postMessage({ asked: data.asked, ...part }));
    postMessage({ asked: data.asked, done: true });
  } catch (error) {
    postMessage({ asked: data.asked, failed: String(error) });
  }
};
