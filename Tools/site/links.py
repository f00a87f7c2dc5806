"""Checks every link of a site: pages, fragments, pictures, scripts and styles.

usage: links.py SITE
"""

import html.parser
import pathlib
import re
import sys
import urllib.parse

ATTRIBUTES = {"href", "src", "srcset", "poster", "data"}
SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*:|^//", re.I)


class Links(html.parser.HTMLParser):
    """The links and ids of a page."""

    def __init__(self):
        super().__init__()
        self.links, self.ids, self.faults = [], set(), []

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                if value in self.ids:
                    self.faults.append(f"line {self.getpos()[0]}: the id {value} stands twice")
                self.ids.add(value)
            elif name in ATTRIBUTES and value is not None:
                self.links.append((self.getpos()[0], value))
        if tag == "img" and not dict(attributes).get("alt"):
            self.faults.append(f"line {self.getpos()[0]}: a picture has no words for who cannot see it")


def check(site):
    """Faults, the links to other sites, and how many links there are. `site` is a folder."""
    site = pathlib.Path(site).resolve()
    pages, faults, external, count = {}, [], {}, 0
    for file in sorted(site.rglob("*.html")):
        parser = Links()
        parser.feed(file.read_text(encoding="utf-8"))
        pages[file] = parser
    for file, parser in pages.items():
        name = file.relative_to(site)
        faults += [f"{name}: {fault}" for fault in parser.faults]
        for line, link in parser.links:
            if SCHEME.match(link):
                external.setdefault(link, str(name))
                continue
            count += 1
            fault = broken(site, pages, file, link)
            if fault:
                faults.append(f"{name}: line {line}: {link}: {fault}")
    return faults, external, count


def broken(site, pages, file, link):
    """Why a link within the site leads nowhere, or None."""
    path, _, fragment = link.partition("#")
    target = (file.parent / urllib.parse.unquote(path)).resolve() if path else file
    if site not in target.parents:
        return "leads out of the site"
    if not target.is_file():
        return "no such file"
    if fragment and (target not in pages or urllib.parse.unquote(fragment) not in pages[target].ids):
        return "no such place on the page"
    return None


def report(folder):
    """Checks the links of a site, and prints what was found; true if all lead somewhere."""
    faults, external, count = check(folder)
    for fault in faults:
        print(f"docs: {fault}")
    for link, name in sorted(external.items()):
        print(f"docs: not fetched: {link} (on {name})")
    print(f"docs: {count} links, {len(faults)} broken; {len(external)} lead to other sites")
    return not faults


if __name__ == "__main__":
    sys.exit(0 if report(sys.argv[1]) else 1)
