-- breaks: no
-- What VENs of OpenADR 3.1 did in a run, apart from those of 2.0a.
alter table sandbox.scenario_acts drop constraint scenario_acts_what_check,
  add check (what in ('polled', 'fetched', 'telemetry', 'controllable_load', 'ven_polled', 'ven_acknowledged',
    'openadr3_polled', 'openadr3_acknowledged'));
