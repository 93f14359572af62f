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
viewer.models_shown = await page.isVisible(".choose-model");
if (models.length) await page.selectOption(".choose-model", models.at(-1));
viewer.rows = await page.$$eval(".stage .who", (names) => names.map((name) => name.textContent));
await page.focus(".choose-sentence");
await page.keyboard.press("ArrowDown");
viewer.after_key = await dots();

const [download] = await Promise.all([page.waitForEvent("download"), page.click(".save-svg")]);
await download.saveAs(`${folder}/drawing.svg`);

// Tabs and folds, first as they are, then without any script: both have to work.
const folding = async (page) => {
  const shown = (selector) => page.$$eval(selector, (all) => all.filter((each) => each.checkVisibility()).map((each) => each.id));
  const seen = { first: await shown(".panel") };
  if (seen.first.length === 0) return seen;
  await page.click(".tabs > label >> nth=1");
  seen.second = await shown(".panel");
  await page.keyboard.press("ArrowLeft");
  seen.back = await shown(".panel");
  seen.folded = await page.isVisible("details.more > :nth-child(2)");
  await page.click("details.more > summary >> nth=0");
  seen.unfolded = await page.isVisible("details.more > :nth-child(2)");
  await page.click("details.more > summary >> nth=0");
  return seen;
};
const tabs = await folding(page);
if (tabs.first.length) {
  await page.evaluate(() => { location.hash = [...document.querySelectorAll(".panel")][1].querySelector("[id]").id; });
  tabs.linked = await page.$$eval(".panel", (all) => all.filter((each) => each.checkVisibility()).map((each) => each.id));
  await page.evaluate(() => { location.hash = ""; });
}
const still = await browser.newContext({ viewport: { width: 1200, height: 900 }, javaScriptEnabled: false });
const still_page = await still.newPage();
await still_page.goto(`file://${page_path}`);
const scriptless = { tabs: await still_page.locator(".tabs").count() };
if (scriptless.tabs) {
  await still_page.locator(".tabs > label").nth(1).click();
  scriptless.visible = [];
  for (const panel of await still_page.locator(".panel").all()) scriptless.visible.push(await panel.isVisible());
}
await still.close();

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
  panels: await page.$$eval(".panel", (all) => all.map((each) => each.checkVisibility())),
  pdf: (await page.pdf({ path: `${folder}/printed.pdf` })).length,
};
await page.emulateMedia({ media: "screen" });
await page.setViewportSize({ width: 400, height: 800 });
const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
const drawing = await page.$eval(".drawing svg", (svg) => svg.getBoundingClientRect().width);
await browser.close();
writeFileSync(`${folder}/result.json`, JSON.stringify({ problems, requests, sorted, viewer, found, print, overflow, drawing, tabs, scriptless }));
