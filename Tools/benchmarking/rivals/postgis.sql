-- The enters of a drive with every place monitored, by PostGIS, on the ellipsoid.
-- Run by psql in the folder with drive.csv and places.csv.
\ir head.sql
CREATE TEMP TABLE reports (n serial, at timestamptz, lat float8, lon float8);
:cpu

-- The places, indexed.
\copy stories FROM 'places.csv' CSV HEADER
CREATE TABLE places AS SELECT id, radius, ST_MakePoint(lon, lat)::geography AS spot FROM stories;
CREATE INDEX ON places USING gist (spot);
ANALYZE places;
:cpu

-- The path: it enters a circle on a segment that begins outside and touches it.
\copy reports (at, lat, lon) FROM 'drive.csv' CSV HEADER
CREATE TABLE segments AS
  SELECT n, start::geography AS start, ST_MakeLine(start, finish)::geography AS path
  FROM (SELECT n - 1 AS n, ST_MakePoint(lon, lat) AS finish,
               lag(ST_MakePoint(lon, lat)) OVER (ORDER BY n) AS start FROM reports) AS steps
  WHERE NOT ST_Equals(start, finish);
CREATE INDEX ON segments USING gist (path);
ANALYZE segments;
\o enters.txt
SELECT id || ' ' || n FROM places JOIN segments ON ST_DWithin(spot, path, radius)
  WHERE NOT ST_DWithin(spot, start, radius);
\o
:cpu

-- The nearest twenty places, every 500th fix.
\o nearest.txt
SELECT (n - 1) / 500 + 1, near.id FROM reports CROSS JOIN LATERAL (
  SELECT id FROM places ORDER BY spot <-> ST_MakePoint(lon, lat)::geography LIMIT 20) AS near
  WHERE (n - 1) % 500 = 0;
\o
:cpu

-- What came in, for who compares.
\o imported.txt
SELECT id FROM places;
\o
