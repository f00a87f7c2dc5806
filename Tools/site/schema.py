"""A page made of a JSON Schema: a table of its fields, and one for each definition."""

import html
import json

from page import Page, slug


def kind(schema):
    """What a value may be, in words and links to definitions."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f'<a href="#{slug(name)}">{html.escape(name)}</a>'
    if "const" in schema:
        return f"<code>{html.escape(json.dumps(schema['const']))}</code>"
    if "enum" in schema:
        return " or ".join(f"<code>{html.escape(json.dumps(value))}</code>" for value in schema["enum"])
    if schema.get("type") == "array":
        return "array of " + kind(schema.get("items", {}))
    for word in ("oneOf", "anyOf"):
        if word in schema:
            return " or ".join(dict.fromkeys(kind(one) for one in schema[word]))
    types = schema.get("type", "any")
    return html.escape(" or ".join(types) if isinstance(types, list) else types)


def bounds(schema):
    words = {"minimum": "at least", "exclusiveMinimum": "more than", "maximum": "at most", "exclusiveMaximum": "less than",
             "minItems": "items, at least", "pattern": "like"}
    return ", ".join(f"{words[key]} <code>{html.escape(str(schema[key]))}</code>" for key in words if key in schema)


def rows(schema, prefix=""):
    """A row for each field, those of objects inside it below."""
    result = ""
    for name, field in schema.get("properties", {}).items():
        needed = "required" if name in schema.get("required", []) else ""
        text = ". ".join(part.rstrip(".") for part in (html.escape(field.get("description", "")), bounds(field)) if part)
        result += (f"<tr><td><code>{html.escape(prefix + name)}</code></td><td>{kind(field)}</td><td>{needed}</td>"
                   f"<td>{text}</td></tr>\n")
        result += rows(field, f"{prefix}{name}.")
        result += rows(field.get("items", {}), f"{prefix}{name}[].")
    return result


def table(schema):
    head = "<tr><th>Field</th><th>Type</th><th></th><th>Meaning</th></tr>\n"
    inner = rows(schema)
    return f'<div class="table" tabindex="0"><table>\n{head}{inner}</table></div>\n' if inner else f"<p>{kind(schema)}</p>\n"


def page(path, url, text, file_url):
    """The page; the schema itself is at `file_url`."""
    schema = json.loads(text)
    title = schema.get("title", path)
    result = Page(path, url, title, summary=schema.get("description", ""))
    result.headings = [(1, "", title)]
    result.body = (f"<h1>{html.escape(title)}</h1>\n<p>{html.escape(result.summary)}</p>\n"
                   f'<p><a href="{result.link_to(file_url)}">The schema as a file</a></p>\n' + table(schema))
    for name, definition in schema.get("$defs", {}).items():
        result.headings.append((2, slug(name), name))
        result.body += (f'<h2 id="{slug(name)}">{html.escape(name)}</h2>\n'
                        f"<p>{html.escape(definition.get('description', ''))}</p>\n" + table(definition))
    return result
