-- breaks: no
-- The timeline of a dispatch finds the alarms that name it: of their words, those that are ids of dispatches.
create index alarms_by_dispatch on alarms using gin (string_to_array(btrim(
  regexp_replace(regexp_replace(subject || ' ' || message, '\m(?!dis_)\w+', '', 'g'), '\W+', ' ', 'g')), ' ')) with (fastupdate = off);
