-- breaks: no
-- The readings of a batch take a few bytes each in place of 16. Only builds made after 0.2.0 know the table.
alter table telemetry_log add count integer;

create function pg_temp.whole(number bigint) returns bytea language plpgsql immutable as $$
declare
  bytes bytea := '';
begin
  while number > 127 loop
    bytes := bytes || set_byte('\x00', 0, (number & 127 | 128)::int);
    number := number >> 7;
  end loop;
  return bytes || set_byte('\x00', 0, number::int);
end
$$;
create function pg_temp.number_at(bytes bytea, at int) returns bigint language sql immutable as $$
  select (get_byte(bytes, at) | (get_byte(bytes, at + 1) << 8) | (get_byte(bytes, at + 2) << 16) | (get_byte(bytes, at + 3) << 24))::bigint
$$;
-- Each number as its difference from the one before; those below zero count in between.
create function pg_temp.steps(bytes bytea, numbers int) returns bytea language sql immutable as $$
  select '\x01'::bytea || string_agg(pg_temp.whole(case when step < 0 then -2 * step - 1 else 2 * step end), '' order by nth)
  from (
    select nth, number - lag(number, 1, 0::bigint) over (order by nth) as step
    from (select nth, pg_temp.number_at(bytes, 4 * nth) as number from generate_series(0, numbers - 1) as nth) as each
  ) as stepped
$$;

update telemetry_log set count = octet_length(readings) / case when cells_each is null then 20 else 16 end;
-- A part of the bytes is a value of its own: each number would fetch all of a stored one.
update telemetry_log set readings =
  pg_temp.steps(substr(readings, 1, 4 * count), count) || pg_temp.steps(substr(readings, 4 * count + 1, 4 * count), count)
  || case when cells_each is null then pg_temp.steps(substr(readings, 8 * count + 1, 4 * count), count)
       else '\x00'::bytea || pg_temp.whole(2 * cells_each) end
  || '\x00'::bytea || substr(readings, octet_length(readings) - 8 * count + 1);

-- An upload that is written into rows asks whether the log has readings of its hours. A batch with a reading of last week has none of
-- the days between.
alter table telemetry_log add hours int4multirange;
update telemetry_log set hours = int4multirange(int4range(first_hour, last_hour, '[]'));
alter table telemetry_log drop column cells_each, alter count set not null, alter hours set not null;
create index telemetry_log_hours on telemetry_log (first_hour, last_hour);
