"""The engine's C interface, as fencepost.h describes it."""

import ctypes
import functools
import os
import pathlib
from ctypes import POINTER, byref, c_char_p, c_double, c_float, c_int32, c_int64, c_void_p
from typing import Any

VERSION = 1
#: The time of a fix that has none.
NO_TIME = -(1 << 63)
WHOLE = 1
MISSES = 2

_TEXT = (c_char_p, c_int64)
_OUT = POINTER(c_void_p)
_COLUMNS = (c_void_p,) * 6
#: What each function returns and takes.
SIGNATURES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "fencepost_interface_version": (c_int32, ()),
    "fencepost_free": (None, (c_void_p,)),
    "fencepost_places_create": (c_int32, (*_TEXT, _OUT, _OUT)),
    "fencepost_places_count": (c_int64, (c_void_p,)),
    "fencepost_places_destroy": (None, (c_void_p,)),
    "fencepost_session_create": (
        c_int32, (c_void_p, *_TEXT, c_char_p, c_char_p, c_char_p, c_int32, _OUT, _OUT)),
    "fencepost_session_restore": (
        c_int32, (c_void_p, *_TEXT, *_TEXT, c_char_p, _OUT, _OUT)),
    "fencepost_session_snapshot": (c_int32, (c_void_p, _OUT, POINTER(c_int64), _OUT)),
    "fencepost_session_feed": (c_int32, (c_void_p, c_int64, *_COLUMNS, _OUT)),
    "fencepost_session_feed_one": (
        c_int64, (c_void_p, c_int64, c_double, c_double, c_float, c_float)),
    "fencepost_session_follow": (c_int32, (c_void_p, c_char_p, _OUT)),
    "fencepost_session_replace_places": (c_int32, (c_void_p, c_void_p, _OUT)),
    "fencepost_session_finish": (c_int32, (c_void_p, _OUT)),
    "fencepost_session_events": (c_void_p, (c_void_p, POINTER(c_int64))),
    "fencepost_session_destroy": (None, (c_void_p,)),
}


class FencepostError(ValueError):
    """The engine or the program refused something, for the reason that it gave."""

    __module__ = "fencepost"


def library_path() -> str:
    """The library beside this file, or the one that FENCEPOST_LIBRARY names."""
    beside = pathlib.Path(__file__).with_name("libfencepost.so")
    return os.environ.get("FENCEPOST_LIBRARY") or os.fspath(beside)


@functools.cache
def library() -> ctypes.CDLL:
    """The engine with its functions' types."""
    path = library_path()
    found = ctypes.CDLL(path)
    for name, (result, arguments) in SIGNATURES.items():
        function = getattr(found, name)
        function.restype, function.argtypes = result, arguments
    version = found.fencepost_interface_version()
    if version != VERSION:
        raise ImportError(f"{path} has version {version} of the interface, not {VERSION}")
    return found


def checked(name: str, *arguments: Any) -> None:
    """Calls a function that may fail.

    Raises FencepostError with its message.
    """
    message = c_void_p()
    if getattr(library(), name)(*arguments, byref(message)):
        text = ctypes.string_at(message.value or 0).decode() if message else name
        library().fencepost_free(message)
        raise FencepostError(text)


def created(name: str, *arguments: Any) -> int:
    """Calls a function that makes a handle."""
    handle = c_void_p()
    checked(name, *arguments, byref(handle))
    return handle.value or 0
