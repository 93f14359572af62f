"""The notebooks: pages of the site made of them, and their outputs made anew (``make notebooks``).

MkDocs calls ``on_files``. A notebook is run cell by cell in one name space, without a kernel, so that
neither the site nor the tests need Jupyter; what it shows is stored in the file, as Jupyter does.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

FOLDER = Path(__file__).parents[1] / "notebooks"
Notebook = dict[str, Any]
_STYLE = re.compile(r"<style.*?</style>", flags=re.DOTALL)  # pandas brings its own; the site has one


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add a page for each notebook; the notebook itself is copied beside it."""
    from mkdocs.structure.files import File

    for path in notebooks():
        page = f"{FOLDER.name}/{path.stem}.md"
        files.append(File.generated(config, page, content=as_markdown(read_notebook(path), path.name)))
    return files


def notebooks() -> list[Path]:
    """Return the notebooks of the site."""
    return sorted(FOLDER.glob("*.ipynb"))


def read_notebook(path: Path) -> Notebook:
    """Return a notebook as it is stored."""
    return json.loads(path.read_text(encoding="utf-8"))


def source_of(cell: dict[str, Any]) -> str:
    r"""Return the text of a cell, which is stored as lines.

    >>> source_of({"source": ["a = 1\n", "a"]})
    'a = 1\na'
    """
    return "".join(cell["source"])


def run_notebook(notebook: Notebook) -> Notebook:
    """Return the notebook with the outputs that its cells have now."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells, count = [], 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            cell = cell | {"execution_count": count, "outputs": run_cell(source_of(cell), names, count)}
        cells.append(cell)
    return notebook | {"cells": cells}


def run_cell(source: str, names: dict[str, Any], count: int = 1) -> list[dict[str, Any]]:
    r"""Run a cell and return its outputs: what it printed, its last value, its figures.

    >>> run_cell("print(1)\n1 + 1", {})[1]["data"]
    {'text/plain': ['2']}
    """
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), names)
        value = None if last is None else eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())})
    if value is not None and not source.rstrip().endswith(";"):
        outputs.append(
            {"data": _shown(value), "execution_count": count, "metadata": {}, "output_type": "execute_result"}
        )
    return outputs + [_image(png) for png in _figures()]


def as_markdown(notebook: Notebook, name: str) -> str:
    """Return the page of a notebook, with a link to the file."""
    parts = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            parts.append(source_of(cell))
        else:
            parts.append(f"```python\n{source_of(cell)}\n```")
            parts += [_output_markdown(output) for output in cell["outputs"]]
    return "\n\n".join([*parts, f"[Download this notebook]({name})"]) + "\n"


def _output_markdown(output: dict[str, Any]) -> str:
    if output["output_type"] == "stream":
        return f"```text\n{''.join(output['text']).rstrip()}\n```"
    data = output["data"]
    if "image/png" in data:
        return f"![figure](data:image/png;base64,{data['image/png'].strip()})"
    if "text/html" in data:
        html = _STYLE.sub("", "".join(line for line in data["text/html"] if line.strip()))
        html = html.replace('<table border="1" class="dataframe">', "<table>")  # in the style of the site
        return f'<div class="notebook-output">{html}</div>'
    return f"```text\n{''.join(data['text/plain'])}\n```"


def _shown(value: object) -> dict[str, list[str]]:
    """Return the forms in which a notebook shows a value."""
    shown = {"text/plain": _lines(repr(value))}
    html = getattr(value, "_repr_html_", None)
    return {"text/html": _lines(html()), **shown} if html is not None else shown


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def _figures() -> list[bytes]:
    """Return the figures that were drawn since, as PNG, and close them."""
    if "matplotlib.pyplot" not in sys.modules:
        return []
    pyplot = sys.modules["matplotlib.pyplot"]
    found = []
    for number in pyplot.get_fignums():
        buffer = io.BytesIO()
        # Without the program's name and date the same figure has the same bytes.
        pyplot.figure(number).savefig(buffer, bbox_inches="tight", dpi=90, metadata={"Software": None})
        found.append(buffer.getvalue())
    pyplot.close("all")
    return found


def _image(png: bytes) -> dict[str, Any]:
    text = base64.b64encode(png).decode() + "\n"
    return {"data": {"image/png": text}, "metadata": {}, "output_type": "display_data"}


def main() -> None:
    """Run every notebook and store what its cells show."""
    for path in notebooks():
        made = run_notebook(read_notebook(path))
        path.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main()
