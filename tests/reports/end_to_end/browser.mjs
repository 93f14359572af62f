// Opens a report as a reader would and prints what happened as JSON: node browser.mjs PAGE FOLDER
import { createRequire } from "node:module";
import { writeFileSync } from "node:fs";

const [page_path, folder] = process.argv.slice(2);
const require = createRequire(`${folder}/package.json`);
const { chromium } = require("playwright-core");
const axe = require.resolve("axe-core/axe.min.js");

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, bypassCSP: true, acceptDownloads: true });
const page = await context.newPage();
const problems = [], requests = [];
page.on("console", (message) => { if (message.type() === "error") problems.push(message.text()); });
page.on("pageerror", (error) => problems.push(String(error)));
page.on("request", (request) => requests.push(request.url()));
await page.goto(`file://${page_path}`);

const column = (n) => page.$$eval(`#table-1 tbody tr > :nth-child(${n})`, (cells) => cells.map((cell) => cell.dataset.sort ?? cell.textContent.trim()));
const sorted = { before: await column(2) };
await page.click("#table-1 thead th:nth-child(2) button");
sorted.up = await column(2);
sorted.state = await page.getAttribute("#table-1 thead th:nth-child(2)", "aria-sort");
await page.click("#table-1 thead th:nth-child(2) button");
sorted.down = await column(2);

const dots = () => page.$$eval(".stage circle", (circles) => circles.length);
const viewer = { all: await dots() };
await page.click(".viewer .first");
viewer.first = await dots();
viewer.status = await page.textContent(".viewer .status");
await page.click(".viewer .next");
viewer.second = await dots();
await page.click(".viewer .play");
viewer.playing = await page.getAttribute(".viewer .play", "aria-pressed");
await page.waitForFunction(() => document.querySelector(".viewer .play").getAttribute("aria-pressed") === "false", null, { timeout: 60000 });
viewer.played = await dots();
const models = await page.$$eval(".choose-model option", (options) => options.map((option) => option.value));
await page.selectOption(".choose-model", models.at(-1));
viewer.rows = await page.$$eval(".stage .who", (names) => names.map((name) => name.textContent));
await page.focus(".choose-sentence");
await page.keyboard.press("ArrowDown");
viewer.after_key = await dots();

const [download] = await Promise.all([page.waitForEvent("download"), page.click(".save-svg")]);
await download.saveAs(`${folder}/drawing.svg`);

const found = {};
for (const scheme of ["light", "dark"]) {
  await page.emulateMedia({ colorScheme: scheme });
  await page.screenshot({ path: `${folder}/${scheme}.png` });
  await page.addScriptTag({ path: axe });
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  found[scheme] = {
    paper: await page.evaluate(() => getComputedStyle(document.body).backgroundColor),
    ink: await page.evaluate(() => getComputedStyle(document.querySelector(".drawing svg")).color),
    violations: violations.filter(({ impact }) => ["serious", "critical"].includes(impact)).map(({ id, nodes }) => `${id}: ${nodes[0].html}`),
  };
}
await page.emulateMedia({ media: "print", colorScheme: "light" });
const print = {
  nav: await page.isVisible("nav"),
  paper_note: await page.isVisible(".viewer .paper"),
  pdf: (await page.pdf({ path: `${folder}/printed.pdf` })).length,
};
await page.emulateMedia({ media: "screen" });
await page.setViewportSize({ width: 400, height: 800 });
const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
const drawing = await page.$eval(".drawing svg", (svg) => svg.getBoundingClientRect().width);
await browser.close();
writeFileSync(`${folder}/result.json`, JSON.stringify({ problems, requests, sorted, viewer, found, print, overflow, drawing }));
