"""PostGIS: geography, in a database of its own that is made for the run and removed.

At fixes it asks ST_DWithin, on the spheroid. Along the path it intersects each segment with ST_Buffer of the center, as its users do; for that
PostGIS picks a planar projection by itself.
"""

import json

from cluster import Cluster, programs
from sides import crossing, from_sides, ordered, refusal

TITLE = "PostGIS"
MISSING = "Debian’s postgresql-15-postgis-3 is not installed"
CLAIMS = ["must", "may/first-fix/enter-fixes", "may/first-fix/silent-fixes"]
COMMAND = ("ST_Intersection(segment::geography, ST_Buffer(center::geography, radius)); at fixes ST_DWithin(fix::geography, center::geography, "
           "radius)")
SAME_METERS = 0.001
PATH = """
WITH fixes AS (SELECT number - 1 AS number, ST_MakePoint((fix->>'lon')::float8, (fix->>'lat')::float8) AS point
    FROM json_array_elements(:'case'::json->'fixes') WITH ORDINALITY AS one(fix, number)),
  segments AS (SELECT b.number, a.point AS start, ST_SetSRID(ST_MakeLine(a.point, b.point), 4326)::geography AS line
    FROM fixes a JOIN fixes b ON b.number = a.number + 1),
  circles AS (SELECT place->>'id' AS id, ST_Buffer(ST_SetSRID(ST_MakePoint((place->>'lon')::float8, (place->>'lat')::float8), 4326)::geography,
      (place->>'radius')::float8) AS circle FROM json_array_elements(:'case'::json->'places') AS place),
  parts AS (SELECT number, id, start, line, (ST_Dump(ST_Intersection(line, circle)::geometry)).geom AS part FROM segments, circles)
SELECT json_agg(json_build_object('fix', number, 'place', id, 'length', ST_Length(line),
    'ends', json_build_array(ST_X(ST_StartPoint(part)), ST_Y(ST_StartPoint(part)), ST_X(ST_EndPoint(part)), ST_Y(ST_EndPoint(part))),
    'along', json_build_array(ST_Distance(ST_SetSRID(start, 4326)::geography, ST_StartPoint(part)::geography),
      ST_Distance(ST_SetSRID(start, 4326)::geography, ST_EndPoint(part)::geography))))
  FROM parts WHERE GeometryType(part) = 'LINESTRING';
"""
SIDES = """
SELECT json_agg(json_build_array(fix.number - 1, place->>'id')) FROM json_array_elements(:'case'::json->'fixes') WITH ORDINALITY AS fix(value, number),
  json_array_elements(:'case'::json->'places') AS place
  WHERE ST_DWithin(ST_SetSRID(ST_MakePoint((fix.value->>'lon')::float8, (fix.value->>'lat')::float8), 4326)::geography,
    ST_SetSRID(ST_MakePoint((place->>'lon')::float8, (place->>'lat')::float8), 4326)::geography, (place->>'radius')::float8);
"""
cluster = None


def connected():
    global cluster
    if cluster is None and programs():
        cluster = Cluster()
        cluster.psql("CREATE EXTENSION postgis;")
    return cluster


def version():
    if connected() is None:
        return None
    return cluster.psql("SELECT postgis_lib_version() || ', PostgreSQL ' || split_part(current_setting('server_version'), ' ', 1) || "
                         "', GEOS ' || split_part(postgis_geos_version(), '-', 1) || ', PROJ ' || split_part(postgis_proj_version(), ' ', 1);")


def events(case):
    if refused := refusal(case, ["initial"]):
        return refused
    base = connected()
    text = json.dumps({key: case[key] for key in ("places", "fixes")})
    if case["rule"].get("test") == "fixes":
        inside = set(map(tuple, json.loads(base.psql(SIDES, case=text) or "[]")))
        return from_sides(case, lambda place, _, number: (number, place["id"]) in inside)
    parts = json.loads(base.psql(PATH, case=text) or "[]")
    return ordered(event for part in parts for event in at_ends(part, case["fixes"]))


def at_ends(part, fixes):
    """Where the ends of a piece are not those of its segment, the edge is."""
    length, ends = part["length"], part["ends"]
    for kind, lon, lat, along, from_end in (
            ("enter", *ends[:2], part["along"][0], part["along"][0]), ("exit", *ends[2:], part["along"][1], abs(length - part["along"][1]))):
        if from_end > SAME_METERS:
            yield crossing(kind, part["place"], part["fix"], min(1.0, along / length), (lat, lon), fixes)
