"""What a phone watches and when it alerts."""

import datetime
import functools
import os
from typing import Any

from ._library import FencepostError
from ._program import run


class Rules:
    """The options of `fencepost rules`, by their names with underscores.

    Values are those of the command line: "100 m", "30s", 20. True sets a flag, None is "none", and
    a timedelta is a duration. `profile` is a phone, and `rules` a YAML file. See `fencepost help
    rules --all`.

    >>> Rules(limit=10, hold="30s")
    Rules(limit=10, hold='30s')

    Raises FencepostError with the program's sentence where it refuses an option.
    """

    def __init__(self, **options: Any) -> None:
        self.options = options
        #: All rules in force, as the C interface takes them; empty for the default rules.
        self.document = _resolved(tuple(self.arguments)) if options else b""

    @property
    def arguments(self) -> list[str]:
        """The options as words of a command line."""
        return arguments(self.options)

    def __repr__(self) -> str:
        return f"Rules({', '.join(f'{name}={value!r}' for name, value in self.options.items())})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and self.arguments == other.arguments

    def __hash__(self) -> int:
        return hash(tuple(self.arguments))


def arguments(options: dict[str, Any]) -> list[str]:
    words = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            words.append(option)
        elif value is not False:
            words.append(f"{option}={_text(value)}")
    return words


def _text(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, datetime.timedelta):
        return f"{round(value / datetime.timedelta(milliseconds=1))}ms"
    if isinstance(value, (list, tuple)):
        return ",".join(map(_text, value))
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


@functools.lru_cache(maxsize=256)
def _resolved(words: tuple[str, ...]) -> bytes:
    if any(word.startswith("--format") for word in words):
        raise FencepostError("format is not a rule")
    return run("rules", *words, "--format", "json")
