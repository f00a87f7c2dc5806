"""Markup of DocC's render nodes: paragraphs, lists, tables, code and references between symbols."""

import html
import posixpath

from guides import SCHEME
from page import slug
import colours


class Content:
    """Renders the content of one node for one page. `site` knows where routes and symbols stand."""

    def __init__(self, node, page, site):
        self.references, self.page, self.site = node.get("references", {}), page, site

    def blocks(self, blocks, headings=None):
        """Blocks as markup. Where `headings` is a list, headings get their anchors and are added to it."""
        return "".join(self.block(block, headings) for block in blocks)

    def block(self, block, headings):
        kind = block["type"]
        if kind == "paragraph":
            return f"<p>{self.inline(block['inlineContent'])}</p>\n"
        if kind == "heading":
            return self.heading(block, headings)
        if kind == "codeListing":
            return colours.highlighted("\n".join(block["code"]), block.get("syntax") or "text")
        if kind in ("unorderedList", "orderedList"):
            tag = "ul" if kind == "unorderedList" else "ol"
            return f"<{tag}>\n" + "".join(f"<li>{self.blocks(item['content'])}</li>\n" for item in block["items"]) + f"</{tag}>\n"
        if kind == "aside":
            name = html.escape(block.get("name") or block["style"].capitalize())
            return f'<aside class="note"><strong>{name}</strong>{self.blocks(block["content"])}</aside>\n'
        if kind == "table":
            return self.table(block)
        if kind == "termList":
            return "<dl>" + "".join(
                f"<dt>{self.inline(item['term']['inlineContent'])}</dt><dd>{self.blocks(item['definition']['content'])}</dd>"
                for item in block["items"]) + "</dl>\n"
        if kind == "thematicBreak":
            return "<hr>\n"
        if kind == "small":
            return f"<p><small>{self.inline(block['inlineContent'])}</small></p>\n"
        raise ValueError(f"{self.page.key}: no markup is known for a block of the kind {kind}")

    def heading(self, block, headings):
        text = html.escape(block["text"])
        if headings is None:
            return "" if block["text"] == "Discussion" else f"<h4>{text}</h4>\n"
        if block["text"] in ("Overview", "Discussion"):
            return ""
        name = slug(block["text"])
        headings.append((block["level"], name, block["text"]))
        return (f'<h{block["level"]} id="{name}"><a class="anchor" href="#{name}" aria-label="Link to this heading"></a>'
                f'{text}</h{block["level"]}>\n')

    def table(self, block):
        rows = []
        for number, row in enumerate(block["rows"]):
            tag = "th" if number == 0 and block.get("header") in ("row", "both") else "td"
            rows.append("<tr>" + "".join(f"<{tag}>{self.cell(cell)}</{tag}>" for cell in row) + "</tr>\n")
        return f'<div class="table" tabindex="0"><table>\n{"".join(rows)}</table></div>\n'

    def cell(self, cell):
        return "".join(self.inline(block["inlineContent"]) if block["type"] == "paragraph" else self.block(block, None)
                       for block in cell)

    def inline(self, items):
        return "".join(self.piece(item) for item in items)

    def piece(self, item):
        kind = item["type"]
        if kind == "text":
            return html.escape(item["text"])
        if kind == "codeVoice":
            return f"<code>{html.escape(item['code'])}</code>"
        tags = {"emphasis": "em", "strong": "strong", "strikethrough": "s", "superscript": "sup", "subscript": "sub",
                "newTerm": "dfn", "inlineHead": "strong"}
        if kind in tags:
            return f"<{tags[kind]}>{self.inline(item['inlineContent'])}</{tags[kind]}>"
        if kind == "reference":
            return self.reference(item)
        if kind == "image":
            return self.image(item["identifier"])
        raise ValueError(f"{self.page.key}: no markup is known for text of the kind {kind}")

    def image(self, identifier):
        found = self.references[identifier]
        url = self.site.picture(self.page.key, found["variants"][0]["url"])
        return f'<img src="{html.escape(self.page.link_to(url))}" alt="{html.escape(found.get("alt") or "")}" loading="lazy">'

    def reference(self, item):
        found = self.references.get(item["identifier"], {})
        title = item.get("overridingTitle") or found.get("title") or item["identifier"].rpartition("/")[2]
        inner = (self.inline(item["overridingTitleInlineContent"]) if item.get("overridingTitleInlineContent")
                 else f"<code>{html.escape(title)}</code>" if found.get("kind") == "symbol" else html.escape(title))
        if found.get("type") == "link":
            return self.outward(found["url"], inner)
        return self.link(found.get("url"), inner)

    def outward(self, target, inner):
        """A link to another site, or to a file by its path from the library's catalog."""
        if SCHEME.match(target):
            return f'<a href="{html.escape(target)}" rel="external">{inner}</a>'
        path, mark, fragment = target.partition("#")
        url = self.site.url_of(posixpath.normpath(posixpath.join(self.site.catalog(self.page.module), path)))
        return f'<a href="{html.escape(self.page.link_to(url + mark + fragment) if url else target)}">{inner}</a>'

    def link(self, route, inner):
        url = self.site.url_of_route(route) if route else None
        return f'<a href="{html.escape(self.page.link_to(url))}">{inner}</a>' if url else inner

    def declaration(self, tokens):
        """A declaration, whose types are links wherever one of the libraries has them."""
        pieces = []
        for token in tokens:
            text = html.escape(token["text"])
            url = self.site.symbols.get(token.get("preciseIdentifier"))
            if url and token["kind"] == "typeIdentifier":
                text = f'<a href="{html.escape(self.page.link_to(url))}">{text}</a>'
            style = {"keyword": "k", "attribute": "k", "typeIdentifier": "nc", "identifier": "nf", "externalParam": "nf",
                     "internalParam": "nv", "number": "mi", "string": "s"}.get(token["kind"])
            pieces.append(f'<span class="{style}">{text}</span>' if style else text)
        return f'<pre class="declaration" tabindex="0"><code>{"".join(pieces)}</code></pre>\n'
