"""Writes the site and checks its links. Tools/docs calls it.

usage: build.py PROJECT ARCHIVES SITE VERSION
"""

import html
import json
import pathlib
import shutil
import string
import sys

from contents import LIBRARIES, SHORT, chapters
from guides import Guides
from links import report
from page import plain, slug
from reference import Reference
import schema

HERE = pathlib.Path(__file__).resolve().parent
FOLDERS = {"Sources/FencepostCLI/Documentation.docc": "guides", "Data/conformance": "conformance", "Data/schemas": "conformance",
           ".github": "project", "Data": "project", "Data/reminders": "guides", "Tools/spark": "guides"}
MOST_OUTLINE = 60


class Site:
    """Where everything stands."""

    def __init__(self, project, archives, folder):
        self.project, self.folder = project, folder
        self.by_key, self.routes, self.symbols, self.archives = {}, {}, {}, {}
        self.reference = Reference(archives, self)
        self.guides = Guides(project, self)
        for page in self.reference.pages.values():
            self.by_key[page.key] = page
        self.chapters = [(title, [self.add(key) for key in keys]) for title, keys in chapters(project)]
        modules = [page for page in self.reference.pages.values() if page.node["metadata"].get("symbolKind") == "module"]
        self.chapters.insert(-1, (LIBRARIES, sorted(modules, key=lambda page: page.title)))

    def add(self, key):
        """The page of a file, an article or a tutorial."""
        if key not in self.by_key:
            url = self.address(key)
            if key.endswith(".schema.json"):
                self.by_key[key] = schema.page(key, url, (self.project / key).read_text(encoding="utf-8"), self.copied(key))
            elif key.endswith(".md"):
                self.by_key[key] = self.guides.page(key, url)
            else:
                raise SystemExit(f"the libraries have no article {key}")
        page = self.by_key[key]
        page.short = SHORT.get(key)
        return page

    @staticmethod
    def address(key):
        if key == "README.md":
            return "index.html"
        folder, _, name = key.rpartition("/")
        name = name.removesuffix(".md").removesuffix(".schema.json").lower()
        if name == "readme":
            name = {"Data/conformance": "index"}.get(folder, folder.rpartition("/")[2].lower())
        return f"{FOLDERS[folder]}/{name}.html"

    def url_of(self, path):
        """Where a file of the project stands in the site: a page, or a copy of the file. None if there is none."""
        if path in self.by_key and not path.endswith(".json"):
            return self.by_key[path].url
        article = self.article(path)
        if article:
            return article.url
        return self.copied(path) if (self.project / path).is_file() else None

    def article(self, path):
        """The page of a catalog's article, by the path of its source."""
        parts = path.split("/")
        if len(parts) != 4 or parts[0] != "Sources" or parts[2] != "Documentation.docc":
            return None
        # Folders lack the prefix of their modules' names.
        module = parts[1] if parts[1].startswith("Fencepost") else "Fencepost" + parts[1]
        name = parts[3].rpartition(".")[0]
        return self.by_key.get(module if name in (module, parts[1]) else f"{module}/{name}")

    def catalog(self, module):
        """The folder of a library's articles."""
        folder = module if (self.project / "Sources" / module).is_dir() else module.removeprefix("Fencepost")
        return f"Sources/{folder}/Documentation.docc"

    def copied(self, path):
        """Copies a file of the project into the site."""
        source = self.project / path
        url = ("pictures/" if source.suffix in (".png", ".svg") else "files/") + source.name
        target = self.folder / url
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists() and target.read_bytes() != source.read_bytes():
            raise SystemExit(f"two files are called {source.name}")
        shutil.copyfile(source, target)
        return url

    def picture(self, key, url):
        """Copies a picture out of a library's archive."""
        module = key.partition("/")[0]
        source = self.archives[module] / url.lstrip("/")
        target = self.folder / "pictures" / source.name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        return f"pictures/{source.name}"

    def url_of_route(self, route):
        path, mark, fragment = route.partition("#")
        url = self.routes.get(path.lower())
        return url.partition("#")[0] + mark + slug(fragment.replace("-", " ")) if url and mark else url

    def write(self, version):
        frame = string.Template((HERE / "page.html").read_text(encoding="utf-8"))
        pages = list(self.by_key.values())
        for page in pages:
            if hasattr(page, "tokens"):
                self.guides.render(page)
            elif hasattr(page, "node"):
                self.reference.render(page)
        order = [page for _, inner in self.chapters for page in inner]
        for page in pages:
            target = self.folder / page.url
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(frame.substitute(
                title="Fencepost" if page.url == "index.html" else html.escape(f"{page.title} · Fencepost"),
                description=html.escape(page.summary[:300], quote=True), root="../" * page.url.count("/"), version=version,
                navigation=self.navigation(page), body=page.body, onward=onward(page, order), outline=outline(page)),
                encoding="utf-8")
        (self.folder / "search-index.js").write_text(
            "const SEARCH_INDEX = " + json.dumps(search_index(pages), ensure_ascii=False, separators=(",", ":")) + ";\n",
            encoding="utf-8")
        for name in ("site.css", "site.js", "icon.svg"):
            shutil.copyfile(HERE / name, self.folder / name)
        return len(pages)

    def navigation(self, page):
        result = ""
        for title, inner in self.chapters:
            # A library's chapter is open on the pages of its types too.
            here = page in inner or title == LIBRARIES and getattr(page, "module", None) and page.kind == "symbol"
            items = "".join(self.item(page, target) for target in inner)
            result += f'<details{" open" if here or title in ("Start", "Replay", "Analyse", "Live") else ""}><summary>{title}</summary>\n<ul>\n{items}</ul></details>\n'
        return result

    @staticmethod
    def item(page, target):
        mark = ' aria-current="page"' if page is target else ""
        if page is not target and getattr(page, "module", None) == target.title and page.kind == "symbol":
            mark = ' aria-current="true"'
        name = getattr(target, "short", None) or target.title
        return f'<li><a href="{html.escape(page.link_to(target.url))}"{mark}>{html.escape(name)}</a></li>\n'


def onward(page, order):
    """Links to the page before and the page after."""
    if page not in order:
        return ""
    index = order.index(page)
    links = ""
    for offset, word, symbol in ((-1, "prev", "←"), (1, "next", "→")):
        if 0 <= index + offset < len(order):
            other = order[index + offset]
            name = html.escape(getattr(other, "short", None) or other.title)
            text = f"{symbol} {name}" if offset < 0 else f"{name} {symbol}"
            links += f'<a rel="{word}" href="{html.escape(page.link_to(other.url))}">{text}</a>'
    return f'<nav class="onward" aria-label="Before and after">{links}</nav>'


def outline(page):
    """What is on the page, for wide windows."""
    inner = [heading for heading in page.headings if heading[0] in (2, 3)][:MOST_OUTLINE]
    if len(inner) < 2:
        return ""
    items = "".join(f'<li class="level-{level}"><a href="#{html.escape(name)}">{html.escape(text)}</a></li>\n'
                    for level, name, text in inner)
    return f'<nav class="outline" aria-label="On this page"><p>On this page</p><ul>\n{items}</ul></nav>'


def search_index(pages):
    """Title, address, page and first words of each page and each section of it."""
    entries = []
    for page in pages:
        sections = page.body.split('<h2 id="')
        entries.append([page.title, page.url, "", plain(sections[0])[:600]])
        texts = {part.partition('"')[0]: plain(part.partition(">")[2])[:600] for part in sections[1:]}
        entries += [[text, f"{page.url}#{name}", page.title, texts.get(name, "")]
                    for level, name, text in page.headings if level > 1 and not name.startswith("topic-")]
    return entries


def main():
    project, archives, folder = (pathlib.Path(word) for word in sys.argv[1:4])
    folder.mkdir(parents=True)
    count = Site(project, archives, folder).write(sys.argv[4])
    print(f"docs: {count} pages in {folder}")
    return 0 if report(folder) else 1


if __name__ == "__main__":
    sys.exit(main())
