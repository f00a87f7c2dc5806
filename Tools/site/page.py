"""A page of the site, before it has a frame."""

import html
import os
import re


class Page:
    """What a page shows, and where."""

    def __init__(self, key, url, title, body="", headings=(), kind="guide", summary=""):
        self.key = key  # the file or symbol that it is made of
        self.url = url  # from the site's root, with slashes
        self.title = title
        self.body = body
        self.headings = list(headings)  # level, id, text
        self.kind = kind
        self.summary = summary

    def link_to(self, url):
        """A relative link from this page to a URL of the site, with or without a fragment."""
        path, mark, fragment = url.partition("#")
        if path == self.url and mark:
            return "#" + fragment
        return os.path.relpath(path, os.path.dirname(self.url) or ".") + mark + fragment


def slug(text):
    """The id of a heading, as code hosts make them."""
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")


def plain(markup):
    """The words of markup."""
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", markup))).strip()
