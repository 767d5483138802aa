-- breaks: yes, because processes of earlier versions claim callbacks of OpenADR 3.1 from a table that is gone
-- Callbacks of OpenADR 3.1 are claimed and recorded like `messages`, in a table of their own: those that follow no dispatch are deleted after seven days.
-- `recipient` is the subscription, `subject` the object; `detail` has the address and the last attempt, and the targets that the subscriber may see
-- (none: all). No process has one in its hands: all have stopped.
alter table openadr3_deliveries rename to passing_messages;
alter table passing_messages rename column subscription_id to recipient;
alter table passing_messages rename column object_id to subject;
alter table passing_messages rename column dropped_at to ended_at;
alter table passing_messages rename column drop_reason to reason;
alter table passing_messages
  add column channel text not null default 'callback',
  add column behind boolean not null default false,
  add column account_id text,
  add column event text,
  add column modification int,
  add column detail jsonb;

update passing_messages as messages
set leased_until = null,
  account_id = (select account_id from openadr3_clients where openadr3_clients.id = client_id),
  event = (select lower(object_type || '.' || operation) from openadr3_changes as changes where changes.seq = change_seq),
  reason = case state when 'failed' then 'attempts_failed' else reason end,
  ended_at = case when state in ('delivered', 'failed') then (
    select min(at + duration_ms * interval '1 millisecond') from openadr3_attempts
    where delivery_id = id and case state when 'delivered' then error is null else gave_up end) else ended_at end,
  detail = jsonb_strip_nulls(jsonb_build_object('url', url, 'targets', targets)) || coalesce((
    select jsonb_build_object('at', at, 'status', status, 'durationMs', duration_ms, 'address', address, 'error', error)
    from openadr3_attempts where delivery_id = id order by number desc limit 1), '{}');
alter table passing_messages drop column url, drop column targets, alter column event set not null, alter column detail set not null;

-- Those of callbacks that follow a dispatch are evidence.
insert into message_attempts (message_id, number, at, status, duration_ms, address, error, is_resend, gave_up)
select delivery_id, number, at, status, duration_ms, address, error, false, gave_up
from openadr3_attempts join passing_messages as messages on messages.id = delivery_id
where exists (select from openadr3_notices as notices where notices.change_seq = messages.change_seq and notices.client_id = messages.client_id);
drop table openadr3_attempts;

-- Indexes, sequences and constraints are named after the table and its columns, as they would be if they were made now.
do $$
declare
  each record;
begin
  for each in
    select format('alter %s %I.%I rename to %%I', case relkind when 'S' then 'sequence' else 'index' end, nspname, relname) as statement, relname as name
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = current_schema() and relkind in ('i', 'S') and relname ~ '^openadr3_deliveries_'
    union all
    select format('alter table %s rename constraint %I to %%I', conrelid::regclass, conname), conname
    from pg_constraint join pg_namespace on pg_namespace.oid = connamespace
    where nspname = current_schema() and contype in ('c', 'f', 'n') and conname ~ '^openadr3_deliveries_'
  loop
    execute format(each.statement, replace(replace(replace(each.name, 'openadr3_deliveries', 'passing_messages'), 'subscription_id', 'recipient'),
      'object_id', 'subject'));
  end loop;
end
$$;
