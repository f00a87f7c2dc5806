"""An adapter as a program: a case on standard input, events on standard output."""

import json
import sys


def serve(events):
    for event in events(json.load(sys.stdin)):
        print(json.dumps(event, ensure_ascii=False))
    return 0
