"""Code with colours, by Pygments."""

import html

import pygments
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

FORMATTER = HtmlFormatter(nowrap=True)


def highlighted(text, language):
    """A block of code; plain if the language is not known."""
    if language == "console":
        inner = "\n".join(console_line(line) for line in text.rstrip("\n").split("\n"))
    else:
        try:
            inner = pygments.highlight(text, get_lexer_by_name(language or "text"), FORMATTER).rstrip("\n")
        except ClassNotFound:
            inner = html.escape(text.rstrip("\n"))
    return f'<pre tabindex="0"><code>{inner}</code></pre>\n'


def console_line(line):
    """What was typed stands out from what was printed."""
    if line.startswith("$ "):
        return f'<span class="typed">{html.escape(line)}</span>'
    return html.escape(line)
