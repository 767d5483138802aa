-- breaks: no
-- Counts changes of what kWh of an account's meters mean: processes remember it by this number.
alter table accounts add column kwh_stamp int not null default 0;
