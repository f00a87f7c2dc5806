-- What the scripts for PostGIS begin with: `cpu` prints the clock ticks so far.
\set ON_ERROR_STOP on
\pset format unaligned
\pset tuples_only on
\set stat 'string_to_array(pg_read_file($$/proc/self/stat$$), $$ $$)'
\set cpu 'SELECT $$cpu$$, s[14]::int + s[15]::int FROM ' :stat ' s;'
-- One core, as Fencepost takes.
SET max_parallel_workers_per_gather = 0;
SET max_parallel_maintenance_workers = 0;
SET jit = off;
CREATE EXTENSION postgis;
CREATE TEMP TABLE stories (id text, title text, lat float8, lon float8, radius float8, blurb text,
                           url text, category text, priority int);
