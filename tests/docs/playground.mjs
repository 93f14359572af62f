// Opens the playground as a visitor would and prints what happened as JSON: node playground.mjs FOLDER < what
import { createRequire } from "node:module";
import { createServer } from "node:http";
import { readFileSync } from "node:fs";

const [folder] = process.argv.slice(2);
const [door, questions] = JSON.parse(readFileSync(0, "utf8"));
const { chromium } = createRequire(`${folder}/package.json`)("playwright-core");
const server = createServer((request, answer) => {
  const name = new URL(request.url, "http://localhost").pathname.slice(1) || "index.html";
  const kinds = { html: "text/html", css: "text/css", js: "text/javascript" };
  try {
    const content = readFileSync(`${folder}/site/${name}`);
    answer.writeHead(200, { "content-type": kinds[name.split(".").at(-1)] }).end(content);
  } catch { answer.writeHead(404).end(); }
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const origin = door === "server" ? `http://127.0.0.1:${server.address().port}/` : `file://${folder}/site/`;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const context = await browser.newContext({ viewport: { width: 390, height: 844 }, acceptDownloads: true, reducedMotion: "reduce" });
const problems = [], elsewhere = [];
const opened = async (hash = "") => {
  const page = await context.newPage();
  page.setDefaultTimeout(300_000);
  page.on("console", (message) => { if (message.type() === "error" && !message.location().url.endsWith("favicon.ico")) problems.push(message.text()); });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => { if (!request.url().startsWith(origin) && !request.url().startsWith("blob:")) elsewhere.push(request.url()); });
  await page.goto(`${origin}index.html${hash}`);
  await page.waitForFunction(() => document.body.dataset.done);
  return page;
};
const answered = async (page, act) => {
  const before = await page.evaluate(() => state.asked);
  await act();
  await page.waitForFunction((asked) => Number(document.body.dataset.done) > asked, before);
};
// What a CSV file holds, by a reader of one's own.
const rowsOf = (text) => {
  const cells = [...text.matchAll(/("(?:[^"]|"")*"|[^,\n]*)([,\n])/g)].map(([, cell, end]) => [cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell, end]);
  const rows = [[]];
  for (const [cell, end] of cells) { rows.at(-1).push(cell); if (end === "\n") rows.push([]); }
  const [head, ...body] = rows.slice(0, -1);
  return body.map((row) => Object.fromEntries(row.map((cell, k) => [head[k], cell])));
};
const saved = async (page) => {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save-paths")]);
  return rowsOf(readFileSync(await download.path(), "utf8"));
};

const page = await opened();
const result = { problems, elsewhere };
result.read = await page.evaluate(async (asked) => {
  const worker = new Worker(URL.createObjectURL(new Blob([playgroundModel.worker])));
  const found = [];
  worker.postMessage({ packed: playgroundModel.packed });
  for (const [k, question] of asked.entries()) {
    const own = [];
    await new Promise((done) => {
      worker.onmessage = ({ data }) => {
        if (data.reader) own.push([data.positions, data.durations]);
        if (data.done || data.failed) done();
      };
      worker.postMessage({ asked: k + 1, ...question });
    });
    found.push(own);
  }
  return found;
}, questions);

if (door !== "questions") {
  result.overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await page.fill("#text", "");
  await page.focus("#text");
  await page.keyboard.type("A cat <script>document.title='x'</script> & sat.");
  await page.selectOption("#group", "L2");
  await page.selectOption("#task", "sentence");
  await page.fill("#seed", "7");
  await page.fill("#readers", "5");
  await answered(page, () => page.keyboard.press("Enter"));
  result.saved = await saved(page);
  result.title = await page.title();
  result.heat = await page.$$eval("#heat span", (spans) => spans.map((span) => span.textContent));
  const steps = [];
  await page.focus("#share");
  for (const key of ["Home", "ArrowRight", "ArrowLeft"]) {
    await page.keyboard.press(key);
    steps.push(await page.getAttribute(".readings .text", "data-fixations"));
  }
  result.steps = steps;
  const again = await opened(new URL(page.url()).hash);
  result.shared = await saved(again);
  await again.fill("#readers", "99");
  await again.evaluate(() => document.getElementById("ask").noValidate = true);
  await again.click("#read");
  result.refused = await again.textContent("#status");

  await again.fill("#text", `${"The old man walked slowly to the harbour, where boats lay. ".repeat(37)}`);
  await again.fill("#readers", "48");
  const before = await again.evaluate(() => state.asked);
  await again.click("#read");
  await again.waitForFunction((asked) => state.asked > asked && state.readings.length > 0, before);
  await again.selectOption("#measure", "skipped");
  result.while_reading = [await again.textContent("#scale"), await again.evaluate(() => state.readings.length)];
  await again.waitForFunction((asked) => Number(document.body.dataset.done) > asked, before);
  result.readers = await again.evaluate(() => state.readings.length);
}
console.log(JSON.stringify(result));
await browser.close();
server.close();
