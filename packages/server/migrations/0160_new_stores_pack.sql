-- breaks: no
-- New stores pack readings of days that ended three days ago. In a store that is in use, processes of versions that do not
-- read packed days may still run: there the operator turns it on.
insert into settings (name, value) select 'pack_after', '3' where not exists (select from accounts)
on conflict (name) do nothing;
