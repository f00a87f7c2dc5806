"""Every example of the guide and of README is right, and the notebook runs."""

import doctest
import re

import pytest
from conftest import DATA, PROJECT

GUIDE = PROJECT / "Sources/FencepostCLI/Documentation.docc/Python.md"
NOTEBOOKS = sorted((DATA / "notebooks").glob("*.ipynb"))


def test_the_examples_of_the_guide_say_what_the_guide_says(monkeypatch):
    monkeypatch.chdir(PROJECT)
    text = GUIDE.read_text(encoding="utf-8")
    # All blocks are one session, as a reader types them.
    blocks = "\n\n".join(re.findall(r"^```python\n(.*?)^```", text, re.M | re.S))
    examples = doctest.DocTestParser().get_doctest(blocks, {}, GUIDE.name, None, 0)
    assert len(examples.examples) > 15
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    runner.run(examples)
    assert runner.failures == 0


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_the_notebook_runs_and_shows_a_map_and_a_report(path):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(PROJECT)}}).execute()
    pages = [output["data"]["text/html"] for cell in notebook.cells if cell.cell_type == "code"
             for output in cell.outputs if "text/html" in output.get("data", {})]
    assert any("leaflet" in page for page in pages)
    assert any("<iframe srcdoc" in page and "Recall" in page for page in pages)
