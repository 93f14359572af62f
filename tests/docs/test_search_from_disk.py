"""The site is opened as the README says, from disk: its search finds pages and asks no network."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
CHROMIUM = next((path for name in ("chromium", "google-chrome") if (path := shutil.which(name))), None)
SCRIPT = """
import { createRequire } from "node:module";
const [page_path, folder] = process.argv.slice(2);
const { chromium } = createRequire(`${folder}/package.json`)("playwright-core");
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync", "--disable-component-update"] });
const page = await browser.newPage();
const elsewhere = [];
page.on("request", (request) => { if (!request.url().startsWith("file:")) elsewhere.push(request.url()); });
await page.goto(`file://${page_path}`);
await page.click("input.md-search__input");
await page.keyboard.type("energy distance");
await page.waitForSelector(".md-search-result__link", { timeout: 30000, state: "attached" });
const found = await page.$$eval(".md-search-result__link", (links) => links.map((link) => link.getAttribute("href")));
console.log(JSON.stringify({ found, elsewhere }));
await browser.close();
"""


def test_search_from_disk(tmp_path: Path) -> None:
    if CHROMIUM is None or shutil.which("npm") is None:
        pytest.skip("chromium and npm are needed")
    site, tools = tmp_path / "site", tmp_path / "tools"
    tools.mkdir()
    (tools / "package.json").write_text("{}")
    (tools / "search.mjs").write_text(SCRIPT)
    npm = ["npm", "install", "--no-audit", "--no-fund", "playwright-core@1"]
    if subprocess.run(npm, cwd=tools, capture_output=True).returncode:
        pytest.skip("npm cannot install")
    build = [sys.executable, "-m", "mkdocs", "build", "-q", "-d", str(site)]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1", "CHROMIUM": CHROMIUM}
    subprocess.run(build, cwd=ROOT, check=True, env=environment)
    done = subprocess.run(
        ["node", tools / "search.mjs", site / "index.html", tools],
        capture_output=True,
        check=True,
        env=environment,
    )
    answer = json.loads(done.stdout)
    assert any("metrics.html" in link for link in answer["found"])
    assert answer["elsewhere"] == []
