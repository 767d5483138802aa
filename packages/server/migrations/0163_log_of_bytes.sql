-- breaks: no
-- The readings of a batch as bytes: arrays are written and read number by number. Only builds made after 0.2.0 know the table.
alter table telemetry_log
  -- How many cells each of the readings fills; null: each has a number of its own.
  add cells_each integer,
  -- Meters, last cells, how many cells each fills unless they are alike, and kW: one after the other, lowest byte first.
  add readings bytea;
alter table telemetry_log alter readings set storage external;

create function pg_temp.lowest_first(sent bytea) returns bytea language sql immutable as
  $$ select string_agg(substr(sent, nth, 1), '' order by nth desc) from generate_series(1, length(sent)) as nth $$;
create function pg_temp.ints(numbers integer[]) returns bytea language sql immutable as
  $$ select string_agg(pg_temp.lowest_first(int4send(number)), '' order by nth)
     from unnest(numbers) with ordinality as each (number, nth) $$;
create function pg_temp.floats(numbers double precision[]) returns bytea language sql immutable as
  $$ select string_agg(pg_temp.lowest_first(float8send(number)), '' order by nth)
     from unnest(numbers) with ordinality as each (number, nth) $$;
update telemetry_log set
  cells_each = case when cardinality(cell_counts) = 1 then cell_counts[1] end,
  readings = pg_temp.ints(meters) || pg_temp.ints(last_cells)
    || case when cardinality(cell_counts) = 1 then '' else pg_temp.ints(cell_counts) end || pg_temp.floats(kw);

alter table telemetry_log
  drop column meters, drop column last_cells, drop column cell_counts, drop column kw, alter readings set not null;
