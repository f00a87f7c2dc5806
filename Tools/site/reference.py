"""Pages of the libraries, made of the archives that docc writes: a page for each module, type, article and tutorial.

Members stand on their type's page. What the compiler synthesises for Equatable and the like is left out.
"""

import html
import json
import re

from content import Content
from page import Page
import colours

OWN_PAGE = {"struct", "class", "enum", "protocol", "module"}


def url_part(text):
    """A piece of a file's name or an anchor of a symbol's name."""
    return re.sub(r"-+", "-", re.sub(r"[^\w]+", "-", text)).strip("-").lower() or "operator"


class Reference:
    """The pages of all archives. `site` takes the addresses of routes and symbols."""

    def __init__(self, archives, site):
        self.site, self.nodes, self.pages, self.members = site, {}, {}, {}
        for archive in sorted(archives.glob("*.doccarchive")):
            # The command's guides are pages of their own.
            if archive.stem == "FencepostCLI":
                continue
            for folder in ("documentation", "tutorials"):
                for file in sorted((archive / "data" / folder).rglob("*.json")):
                    node = json.loads(file.read_text(encoding="utf-8"))
                    node["module"] = archive.stem
                    self.nodes[node["identifier"]["url"]] = node
            site.archives[archive.stem] = archive
        self.place()

    @staticmethod
    def route(node):
        return node["variants"][0]["paths"][0] if node.get("variants") else node["identifier"]["url"].split("/", 3)[3].lower()

    @staticmethod
    def parent(node):
        paths = node.get("hierarchy", {}).get("paths") or [[]]
        return paths[0][-1] if paths[0] else None

    @staticmethod
    def is_synthesized(node):
        return "-Implementations" in node["identifier"]["url"] or any(
            path and path[-1].endswith("-Implementations") for path in node.get("hierarchy", {}).get("paths", []))

    def has_page(self, node):
        if node["kind"] != "symbol":
            # A table of contents of a single tutorial says nothing.
            return node["kind"] != "overview"
        above = self.nodes.get(self.parent(node))
        kind = node["metadata"].get("symbolKind", "")
        return kind in OWN_PAGE or not above or above["metadata"].get("symbolKind") == "module"

    def place(self):
        """Gives every node an address: a page, or a place on its type's page."""
        kept = {key: node for key, node in self.nodes.items() if not self.is_synthesized(node)}
        taken = set()
        for key, node in kept.items():
            if not self.has_page(node):
                continue
            route = self.route(node)
            parts = route.strip("/").split("/")[1:]
            name = "-".join(url_part(part) for part in parts[1:]) or "index"
            url = f"reference/{parts[0]}/{name}.html"
            if url in taken:
                url = f"reference/{parts[0]}/{name}-{len(taken)}.html"
            taken.add(url)
            # doc://bundle/documentation/MODULE/NAME
            page = Page(key.split("/", 4)[4], url, node["metadata"]["title"],
                        kind="article" if node["kind"] != "symbol" else "symbol")
            page.node, page.anchors, page.module = node, set(), node["module"]
            self.pages[key] = page
            self.found(node, url)
        for key, node in kept.items():
            if key not in self.pages and self.parent(node) in self.pages:
                page = self.pages[self.parent(node)]
                if not self.is_listed(key, page.node):
                    self.found(node, page.url)
                    continue
                anchor = base = url_part(key.rpartition("/")[2])
                while anchor in page.anchors:
                    anchor += "-" + base
                page.anchors.add(anchor)
                self.members[key] = anchor
                self.found(node, f"{page.url}#{anchor}")

    @staticmethod
    def is_listed(key, node):
        """Whether a type's page shows a member: not what the compiler made for a protocol."""
        return any(key in section["identifiers"] for section in node.get("topicSections", []))

    def found(self, node, url):
        self.site.routes[self.route(node)] = url
        if "externalID" in node["metadata"]:
            self.site.symbols[node["metadata"]["externalID"]] = url

    def render(self, page):
        node = page.node
        content = Content(node, page, self.site)
        page.summary = "".join(item.get("text", item.get("code", "")) for item in node.get("abstract", []))
        page.headings = [(1, "", page.title)]
        if node["kind"] == "project":
            page.body = self.tutorial(node, content, page)
            return
        title = html.escape(page.title)
        crumbs = self.crumbs(page)
        role = html.escape(node["metadata"].get("roleHeading", "").replace("Framework", "Library"))
        heading = f"<h1><code>{title}</code></h1>" if page.kind == "symbol" else f"<h1>{title}</h1>"
        eyebrow = f'<p class="role">{crumbs}{role if page.kind == "symbol" else ""}</p>' if page.kind == "symbol" else ""
        page.body = (
            eyebrow + heading + f'<p class="abstract">{content.inline(node.get("abstract", []))}</p>\n'
            + self.primary(node, content, page.headings) + self.relations(node, content) + self.topics(node, content, page))

    def crumbs(self, page):
        parts, key = [], self.parent(page.node)
        while key and key in self.pages:
            above = self.pages[key]
            parts.insert(0, f'<a href="{html.escape(page.link_to(above.url))}">{html.escape(above.title)}</a> › ')
            key = self.parent(above.node)
        return "".join(parts)

    def primary(self, node, content, headings):
        """The declaration, what the parameters are, and the discussion."""
        result = ""
        for section in node.get("primaryContentSections", []):
            if section["kind"] == "declarations":
                for declaration in section["declarations"]:
                    result += content.declaration(declaration["tokens"])
            elif section["kind"] == "parameters":
                result += '<dl class="parameters">' + "".join(
                    f"<dt><code>{html.escape(one['name'])}</code></dt><dd>{content.blocks(one['content'])}</dd>"
                    for one in section["parameters"]) + "</dl>\n"
            elif section["kind"] == "content":
                result += content.blocks(section["content"], headings)
        return result

    @staticmethod
    def relations(node, content):
        result = ""
        for section in node.get("relationshipsSections", []):
            names = ", ".join(content.reference({"identifier": key}) for key in section["identifiers"]
                              if content.references.get(key, {}).get("title") not in ("Swift.SendableMetatype",))
            result += f'<p class="relations">{html.escape(section["title"])} {names}.</p>\n' if names else ""
        return result

    def topics(self, node, content, page):
        """The members in full, and links to what has pages of its own."""
        result = ""
        for section in node.get("topicSections", []):
            title, place = section.get("title") or "Topics", len(page.headings)
            inner = "".join(self.topic(key, content, page) for key in section["identifiers"])
            if inner:
                anchor = "topic-" + url_part(title)
                page.headings.insert(place, (2, anchor, title))
                result += f'<h2 id="{anchor}">{html.escape(title)}</h2>\n{inner}'
        return result

    def topic(self, key, content, page):
        if key in self.members:
            return self.member(key, page)
        if key in self.pages:
            target = self.pages[key]
            name = html.escape(target.title)
            name = f"<code>{name}</code>" if target.kind == "symbol" else name
            node = self.nodes[key]
            abstract = Content(node, page, self.site).inline(node.get("abstract", []))
            return f'<div class="entry"><a href="{html.escape(page.link_to(target.url))}">{name}</a><div>{abstract}</div></div>\n'
        return ""

    def member(self, key, page):
        node, anchor = self.nodes[key], self.members[key]
        content = Content(node, page, self.site)
        title = node["metadata"]["title"]
        page.headings.append((3, anchor, title))
        return (f'<section class="member"><h3 id="{anchor}"><a class="anchor" href="#{anchor}" aria-label="Link to this heading"></a>'
                f"<code>{html.escape(title)}</code></h3>\n"
                + f"<p>{content.inline(node.get('abstract', []))}</p>\n" + self.primary(node, content, None) + "</section>\n")

    @staticmethod
    def tutorial(node, content, page):
        result = ""
        for section in node["sections"]:
            if section["kind"] == "hero":
                page.title = section["title"]
                page.headings[0] = (1, "", page.title)
                minutes = section.get("estimatedTimeInMinutes") or node["metadata"].get("estimatedTime", "")
                result += (f'<p class="role">Tutorial, {html.escape(str(minutes).replace("min", ""))} minutes</p>'
                           f"<h1>{html.escape(page.title)}</h1>\n{content.blocks(section['content'])}")
                if section.get("image"):
                    result += content.image(section["image"])
            elif section["kind"] == "tasks":
                result += "".join(Reference.task(task, content, page) for task in section["tasks"])
        return result

    @staticmethod
    def task(task, content, page):
        page.headings.append((2, task["anchor"], task["title"]))
        result = f'<h2 id="{html.escape(task["anchor"])}">{html.escape(task["title"])}</h2>\n'
        for part in task["contentSection"]:
            result += content.blocks(part.get("content", []))
            if part.get("media"):
                result += content.image(part["media"])
        result += '<ol class="steps">\n'
        for step in task["stepsSection"]:
            if step["type"] != "step":
                continue
            inner = content.blocks(step["content"]) + content.blocks(step.get("caption", []))
            if step.get("media"):
                inner += content.image(step["media"])
            if step.get("code"):
                file = content.references[step["code"]]
                inner += (f'<p class="file">{html.escape(file["fileName"])}</p>'
                          + colours.highlighted("\n".join(file["content"]), file.get("syntax") or "text"))
            result += f"<li>{inner}</li>\n"
        return result + "</ol>\n"
