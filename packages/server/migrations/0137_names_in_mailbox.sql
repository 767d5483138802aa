-- breaks: no
-- Indexes, sequences and constraints of the mailbox are named after its tables and columns, as they would be if they were made now.
do $$
declare
  each record;
begin
  for each in
    select format('alter %s %I.%I rename to %%I', case relkind when 'S' then 'sequence' else 'index' end, nspname, relname) as statement, relname as name
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname in (current_schema(), 'sandbox') and relkind in ('i', 'S') and relname ~ '^(deliveries|delivery_attempts)_'
    union all
    select format('alter table %s rename constraint %I to %%I', conrelid::regclass, conname), conname
    from pg_constraint join pg_namespace on pg_namespace.oid = connamespace
    where nspname in (current_schema(), 'sandbox') and contype in ('c', 'n') and conname ~ '^(deliveries|delivery_attempts)_'
  loop
    execute format(each.statement, replace(replace(replace(replace(replace(each.name, 'delivery_attempts', 'message_attempts'), 'deliveries', 'messages'),
      'webhook_id', 'recipient'), 'dispatch_id', 'subject'), 'delivery_id', 'message_id'));
  end loop;
end
$$;
