"""Every example of the guide and of README is right, the notebook runs, and so does the Python of other guides."""

import doctest
import json
import re
import subprocess
import sys

import pytest
from conftest import DATA, PROJECT

from fencepost._program import program

GUIDE = PROJECT / "Sources/Faces/CommandLine/Documentation.docc/Python.md"
SCHEDULING = GUIDE.parent / "Scheduling.md"
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


def test_the_lines_of_the_guide_make_reminders_of_a_calendar(tmp_path):
    pytest.importorskip("recurring_ical_events")
    lines, = re.findall(r"^```python\n(.*?)^```", SCHEDULING.read_text(encoding="utf-8"), re.M | re.S)
    calendar, reminders = DATA / "reminders/team.ics", tmp_path / "team.json"
    with open(reminders, "w", encoding="utf-8") as file:
        subprocess.run([sys.executable, "-c", lines, calendar, "2026-03-02"], check=True, stdout=file)
    planned = subprocess.run(
        [program(), "schedule", reminders, "--from", "2026-03-02", "--for", "9d", "--time-zone", "UTC",
         "--strategy", "window", "--format", "ndjson"], check=True, capture_output=True, text=True).stdout
    events = map(json.loads, planned.splitlines())
    shown = sorted((event["shown"], event["reminder"].split("@")[0]) for event in events
                   if event["type"] == "fate" and event["shown"])
    # New York's clocks are set forward on 8 March. One standup is left out, and one moved. The festival
    # and the call have no zone, and the phone begins in UTC.
    assert shown == [
        ("2026-03-02T14:30:00Z", "standup"), ("2026-03-06T16:00:00Z", "standup"),
        ("2026-03-07T09:00:00Z", "spring"), ("2026-03-09T13:30:00Z", "standup"),
        ("2026-03-10T17:00:00Z", "call")]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_the_notebook_runs_and_shows_a_map_and_a_report(path):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(PROJECT)}}).execute()
    pages = [output["data"]["text/html"] for cell in notebook.cells if cell.cell_type == "code"
             for output in cell.outputs if "text/html" in output.get("data", {})]
    assert any("leaflet" in page for page in pages)
    assert any("<iframe srcdoc" in page and "Recall" in page for page in pages)
