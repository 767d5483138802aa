-- breaks: no
-- New stores fold the log by the hour, so that each hour's row is written once. A store in use keeps what it has.
update settings set value = '3600' where name = 'fold_after' and not exists (select from accounts);
