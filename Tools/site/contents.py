"""What the site contains, in the order of its navigation: chapters by use.

A chapter is made of the groups of topics in the command's catalog, of further Markdown files, and of articles
from the catalogs of the libraries.
"""

import re

CATALOG = "Sources/FencepostCLI/Documentation.docc"


class Chapter:
    """A heading of the navigation with its pages: groups of the catalog's topics, files, and articles as MODULE/NAME."""

    def __init__(self, title, topics=(), files=(), articles=()):
        self.title, self.topics, self.files, self.articles = title, topics, files, articles


CHAPTERS = [
    Chapter("Start", ["Start"], ["README.md"]),
    Chapter("Replay", ["Replay"]),
    Chapter("Analyse", ["Analyse"], ["Tools/spark/README.md"]),
    Chapter("Live", ["Live"]),
    Chapter("Studio", ["Try changes"]),
    Chapter("Real phones", ["Phones"]),
    Chapter("Scheduling", ["Reminders"], ["Data/reminders/README.md"], ["FencepostNotifications/FromNaiveToBudget"]),
    Chapter("In an app", (), (), ["FencepostApple/StoryWalk", "Fencepost/UsingTheLibrary"]),
    Chapter("Formats and edges", ["Formats and edges"], (), ["FencepostFixes/Times"]),
    Chapter("Conformance", (), [
        "Data/conformance/README.md", "Data/conformance/RESULTS.md", "Data/conformance/ENGINES.md",
        "Data/schemas/conformance-case.schema.json"]),
    Chapter("Benchmark", ["Speed"]),
    Chapter("Project", (), [
        ".github/CHANGELOG.md", ".github/ARCHITECTURE.md", ".github/CONTRIBUTING.md", "Data/README.md"]),
]
LIBRARIES = "Libraries"

# Pages whose own titles are too long for the navigation, or say too little beside those of other chapters.
SHORT = {
    "README.md": "Welcome", "Tools/spark/README.md": "On Apache Spark", "Data/reminders/README.md": "Sample reminders",
    "Data/conformance/README.md": "The suite", "Data/conformance/RESULTS.md": "Results",
    "Data/conformance/ENGINES.md": "What engines do differently",
    "Data/schemas/conformance-case.schema.json": "Schema of a case",
    ".github/CHANGELOG.md": "Change log", ".github/ARCHITECTURE.md": "How a fix becomes an alert",
    ".github/CONTRIBUTING.md": "Contributing", "Data/README.md": "Sample data",
    "FencepostApple/StoryWalk": "Tutorial: story alerts", "Fencepost/UsingTheLibrary": "Using the library",
    "FencepostNotifications/FromNaiveToBudget": "From naive to budget", "FencepostFixes/Times": "Times that lie",
}


def topics(project):
    """The groups of topics of the command's catalog: title to names of guides, in order."""
    text = (project / CATALOG / "FencepostCLI.md").read_text(encoding="utf-8")
    groups = {}
    for part in text.partition("## Topics")[2].split("### ")[1:]:
        title, _, rest = part.partition("\n")
        groups[title.strip()] = re.findall(r"<doc:(\w+)>", rest)
    return groups


def chapters(project):
    """The chapters with the paths of their pages; what no chapter names comes before the project."""
    groups = topics(project)
    named = {topic for chapter in CHAPTERS for topic in chapter.topics}
    result = [
        (chapter.title, [*(chapter.files if chapter.title == "Start" else ()),
                         *(f"{CATALOG}/{name}.md" for topic in chapter.topics for name in groups.get(topic, [])),
                         *(chapter.files if chapter.title != "Start" else ()), *chapter.articles])
        for chapter in CHAPTERS]
    others = [(title, [f"{CATALOG}/{name}.md" for name in names]) for title, names in groups.items() if title not in named]
    listed = {name for names in groups.values() for name in names} | {"FencepostCLI"}
    unlisted = [f"{CATALOG}/{file.name}" for file in sorted((project / CATALOG).glob("*.md")) if file.stem not in listed]
    if unlisted:
        others.append(("More guides", unlisted))
    return result[:-1] + others + result[-1:]
