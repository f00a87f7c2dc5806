"""The C interface is what its header says."""

import ctypes
import os
import re
import subprocess

import pytest
from conftest import PROJECT

from fencepost import _library

HEADER = PROJECT / "Sources/Faces/C/fencepost.h"
LIBRARY = os.environ["FENCEPOST_LIBRARY"]
KINDS = {ctypes.c_int32: "int32_t", ctypes.c_int64: "int64_t", ctypes.c_double: "double",
         ctypes.c_float: "float", None: "void"}


def prototypes():
    text = re.sub(r"//.*", "", HEADER.read_text(encoding="utf-8"))
    for result, name, listed in re.findall(r"^([\w ]+\*?) ?(fencepost_\w+)\(([^)]*)\);", text, re.M):
        arguments = [] if listed == "void" else [
            "pointer" if "*" in one else one.split()[-2] for one in re.sub(r"\s+", " ", listed).split(",")]
        yield name, ("pointer" if "*" in result else result.strip(), arguments)


def test_python_calls_every_function_as_the_header_declares_it():
    declared = dict(prototypes())
    called = {
        name: (KINDS.get(result, "pointer"), [KINDS.get(one, "pointer") for one in arguments])
        for name, (result, arguments) in _library.SIGNATURES.items()}
    assert called == declared


def test_the_library_exports_what_the_header_declares():
    listed = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], check=True,
                            capture_output=True, text=True).stdout
    exported = set(re.findall(r" T (fencepost_\w+)$", listed, re.M))
    assert exported == {name for name, _ in prototypes()}


def test_the_version_is_that_of_the_header():
    stated = re.search(r"FENCEPOST_INTERFACE_VERSION (\d+)", HEADER.read_text(encoding="utf-8"))
    assert int(stated[1]) == _library.VERSION == _library.library().fencepost_interface_version()


PROGRAM = r"""
#include "fencepost.h"
#include <stdio.h>
#include <string.h>

int main(void) {
  char *message = NULL;
  fencepost_places *places = NULL;
  const char *bad = "[{\"id\":\"a\",\"lat\":99,\"lon\":0}]", *good = "[{\"id\":\"a\",\"lat\":0,\"lon\":1}]";
  int32_t status = fencepost_places_create((const uint8_t *)bad, strlen(bad), &places, &message);
  printf("%d %s\n", status, message);
  fencepost_free(message);
  fencepost_places_create((const uint8_t *)good, strlen(good), &places, NULL);
  fencepost_session *session = NULL;
  fencepost_session_create(places, NULL, 0, "walk", NULL, "enter", 0, &session, NULL);
  fencepost_places_destroy(places);
  fencepost_session_feed_one(session, FENCEPOST_NO_TIME, 0, 0.999, 0, 0);
  double latitudes[] = {0, 0}, longitudes[] = {0.9991, 1};
  fencepost_session_feed(session, 2, NULL, latitudes, longitudes, NULL, NULL, NULL, NULL);
  int64_t length;
  const uint8_t *events = fencepost_session_events(session, &length);
  printf("%.*s", (int)length, (const char *)events);
  fencepost_session_destroy(session);
}
"""


@pytest.mark.parametrize("language", ["c", "c++"])
def test_a_program_in_c_uses_the_header(tmp_path, language):
    source = tmp_path / "program.c"
    source.write_text(PROGRAM)
    subprocess.run(
        ["clang", "-x", language, "-Wall", "-Werror", "-I", HEADER.parent, source, "-x", "none", LIBRARY,
         f"-Wl,-rpath,{os.path.dirname(LIBRARY)}", "-o", tmp_path / "program"], check=True)
    said = subprocess.run([tmp_path / "program"], check=True, capture_output=True, text=True).stdout
    first, second = said.splitlines()
    assert first.startswith("1 ") and "lat" in first
    assert '"type":"enter","track":"walk"' in second and '"fix":2' in second
