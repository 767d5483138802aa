-- breaks: no
-- New stores append live readings to a log and fold it five minutes later. In a store that is in use, processes of versions
-- that do not read the log may still run: there the operator turns it on.
insert into settings (name, value) select 'fold_after', '300' where not exists (select from accounts)
on conflict (name) do nothing;
