-- A query of the streaming benchmark by PostGIS, on the ellipsoid. Run by psql with -v query=entering or first, in the
-- folder with fixes.csv and places.csv.
\ir head.sql
CREATE TABLE fixes (n serial, device text, time text, lat float8, lon float8);
:cpu
\copy stories FROM 'places.csv' CSV HEADER
CREATE TABLE places AS SELECT id, radius, ST_MakePoint(lon, lat)::geography AS spot FROM stories;
ANALYZE places;
\copy fixes (device, time, lat, lon) FROM 'fixes.csv' CSV HEADER
-- Each place has a radius of its own, so the index that serves is one of the fixes.
CREATE TABLE steps AS
  SELECT n, device, time, row_number() OVER (PARTITION BY device ORDER BY n) AS step,
    ST_MakePoint(lon, lat)::geography AS point FROM fixes;
CREATE INDEX ON steps USING gist (point);
ANALYZE steps;
CREATE TABLE inside AS
  SELECT n, step, device, time, id FROM places JOIN steps ON ST_DWithin(spot, point, radius);
\pset fieldsep ' '
\o found.txt
SELECT device, id, time FROM (
  SELECT *, lag(step, 1, -2) OVER (PARTITION BY device, id ORDER BY n) AS before,
    row_number() OVER (PARTITION BY device, id ORDER BY n) AS visit FROM inside) AS visits
  WHERE CASE WHEN :'query' = 'first' THEN visit = 1 ELSE before <> step - 1 END;
\o
\pset fieldsep '|'
:cpu
