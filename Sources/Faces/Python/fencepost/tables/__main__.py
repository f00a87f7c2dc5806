"""Parquet for the command line: tables of fixes in, analyses out.

`tracks` reads Parquet or GeoParquet with a row for each fix, and writes the stream that `fencepost
analyze --tracks-from -` takes, on standard output. `tables` makes typed tables of an analysis in
NDJSON: DIR/verdicts.parquet, entries, tracks, chances, stories, totals. `columns` lists the columns
of these with their types.
"""

import argparse
import os
import sys

from . import _columns as columns, _local as local
from ._schema import TABLES


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m fencepost.tables", description=(__doc__ or "").split("\n")[0])
    commands = parser.add_subparsers(required=True, dest="command")
    tracks = commands.add_parser("tracks", help="tables of fixes to a stream of tracks")
    tracks.add_argument("tables", nargs="+", help="Parquet or GeoParquet")
    columns.add_options(
        tracks, "the column of the person; analyze then needs --person-by folder")
    tables = commands.add_parser("tables", help="an analysis to typed tables")
    tables.add_argument("analysis", help="the NDJSON of fencepost analyze; - is standard input")
    tables.add_argument("--output", required=True, help="the folder of the tables")
    commands.add_parser("columns", help="the columns of the tables of an analysis")
    return parser.parse_args()


def say(sentence: str) -> None:
    print(f"tables: {sentence}", file=sys.stderr)


def main() -> None:
    arguments = parse_arguments()
    try:
        if arguments.command == "columns":
            for table, found in TABLES.items():
                for name, kind, _ in found:
                    print(f"{table:10} {kind:22} {name}")
            return
        if arguments.command == "tables":
            local.write_tables(arguments.analysis, arguments.output)
            return
        if arguments.person:
            say("the tracks are in folders of their persons; analyze needs --person-by folder")
        local.write_tracks(
            arguments.tables, columns.named(arguments), sys.stdout.buffer, say,
            arguments.track_fixes, [columns.Condition.of(text) for text in arguments.where])
    except columns.Fault as fault:
        sys.exit(f"tables: {fault}")
    except BrokenPipeError:
        # The reader has enough; nothing is left to say to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
