"""Pages made of Markdown files."""

import html
import posixpath
import re

from markdown_it import MarkdownIt
from page import Page, slug
import colours

SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*:", re.I)


def parser():
    """CommonMark with tables, as code hosts read it."""
    markdown = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    markdown.add_render_rule("fence", lambda self, tokens, index, options, env: colours.highlighted(
        tokens[index].content, tokens[index].info.split(" ")[0]))
    markdown.add_render_rule("code_block", lambda self, tokens, index, options, env: colours.highlighted(
        tokens[index].content, "text"))
    markdown.add_render_rule("table_open", lambda *_: '<div class="table" tabindex="0"><table>\n')
    markdown.add_render_rule("table_close", lambda *_: "</table></div>\n")
    markdown.add_render_rule("heading_open", heading_open)
    markdown.add_render_rule("heading_close", lambda self, tokens, index, options, env: f"</{tokens[index].tag}>\n")
    return markdown


def heading_open(self, tokens, index, options, env):
    token = tokens[index]
    name = html.escape(token.attrGet("id") or "")
    anchor = f'<a class="anchor" href="#{name}" aria-label="Link to this heading"></a>' if token.tag != "h1" else ""
    return f'<{token.tag} id="{name}">{anchor}'


def words(token):
    """The text of an inline token."""
    return "".join(child.content for child in token.children or []).replace("``", "")


class Guides:
    """Turns Markdown files into pages. `site` says where each file stands and takes files that are linked."""

    def __init__(self, project, site):
        self.project, self.site, self.markdown = project, site, parser()

    def page(self, path, url):
        text = (self.project / path).read_text(encoding="utf-8")
        tokens = self.markdown.parse(text)
        page = Page(path, url, path)
        self.number(tokens, page)
        page.tokens = tokens
        return page

    def number(self, tokens, page):
        """Gives each heading an id, and the page its title and headings."""
        seen = {}
        for token, inline in zip(tokens, tokens[1:]):
            if token.type == "paragraph_open" and not page.summary and page.headings:
                page.summary = words(inline)
            if token.type != "heading_open":
                continue
            text = words(inline).replace("`", "")
            name = slug(text)
            seen[name] = seen.get(name, -1) + 1
            token.attrSet("id", name if not seen[name] else f"{name}-{seen[name]}")
            page.headings.append((int(token.tag[1]), token.attrGet("id"), text))
            if token.tag == "h1":
                page.title = text

    def render(self, page):
        """The body, once every page has its place."""
        for token in page.tokens:
            for child in token.children or []:
                if child.type == "link_open":
                    self.point(child, "href", page)
                    if SCHEME.match(child.attrGet("href") or ""):
                        child.attrSet("rel", "external")
                elif child.type == "image":
                    self.point(child, "src", page)
                    child.attrSet("loading", "lazy")
        # A heading of DocC that says nothing on a page of its own.
        page.body = re.sub(r'<h2 id="overview">.*?</h2>\n', "", self.markdown.renderer.render(
            page.tokens, self.markdown.options, {}))
        page.headings = [heading for heading in page.headings if heading[1] != "overview"]

    def point(self, token, attribute, page):
        target = token.attrGet(attribute)
        if SCHEME.match(target) or target.startswith("#"):
            return
        path, mark, fragment = target.partition("#")
        source = posixpath.normpath(posixpath.join(posixpath.dirname(page.key), path))
        url = self.site.url_of(source)
        # What does not exist stays as it is, for the check of links to find.
        token.attrSet(attribute, page.link_to(url + mark + fragment) if url else target)
