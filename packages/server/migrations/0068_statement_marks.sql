-- breaks: no
-- What statements have to be drawn up anew for. Written with the change itself, so that a look costs nothing while nothing
-- changed; not unique, so that nobody waits for anybody.
create table statement_marks (
  seq bigint generated always as identity primary key,
  kind text not null check (kind in ('dispatch', 'terms', 'site')),
  -- Of the dispatch or the site; of terms, their first month.
  id text not null,
  -- When the dispatch started before the change, if it starts at another time since.
  at timestamptz
);

-- New statements are due: what changed while they were drawn up first marked nothing.
alter table statements
  -- The newest mark that concerns it; null: it is up to date.
  add column due_seq bigint default 0,
  -- Whether it was drawn up before its month was over: enrolments count until then.
  add column drawn_early boolean not null default true;
update statements set due_seq = null where inputs_stamp is not null;
create index on statements (seq) where due_seq is not null;
create index on statements (ends_at) where drawn_early;

create function mark_statements() returns trigger language plpgsql set search_path from current as $$
begin
  -- Without statements there is nothing to draw up.
  perform from statements limit 1;
  if not found then return null; end if;
  case tg_table_name
    when 'dispatches' then
      insert into statement_marks (kind, id) values ('dispatch', new.id);
      if tg_op = 'UPDATE' and old.start_time <> new.start_time then
        insert into statement_marks (kind, id, at) values ('dispatch', new.id, old.start_time);
      end if;
    when 'performance_versions' then insert into statement_marks (kind, id) values ('dispatch', new.dispatch_id);
    when 'program_terms' then insert into statement_marks (kind, id) values ('terms', new.from_month);
    when 'enrolments' then
      insert into statement_marks (kind, id) values ('site', case when tg_op = 'DELETE' then old.site_id else new.site_id end);
  end case;
  return null;
end
$$;

-- Enrolments of months that are not over may have changed.
update statements set due_seq = 0 where ends_at > now();
