-- breaks: no
-- What changed, for everything that follows changes (decision 101). An entry is a pointer: followers read the state. It is
-- written in the transaction of its change, and deleted after 30 days.
create table journal (
  seq bigint generated always as identity primary key,
  -- Its transaction. Numbers are drawn before the commit, so what is new to a reader is told by its snapshot, not by seq.
  xid xid8 not null default pg_current_xact_id(),
  environment text not null default 'production' check (environment in ('production', 'sandbox')),
  at timestamptz not null,
  -- An action of the audit log, or a kind of its own.
  kind text not null,
  -- The id of the noun; '' if the entry is about several.
  subject text not null,
  -- The row that it is about: a notice, a version, a change.
  ref bigint,
  -- The accounts that it concerns, 50 at most; null: any.
  accounts text[],
  -- The trace context of the request that caused it; not recorded yet.
  trace text
);
create index journal_xid on journal (xid);

-- One journal for both environments: stores of the sandbox write to it through their own schema.
create view sandbox.journal as select * from journal;
alter view sandbox.journal alter column environment set default 'sandbox';

-- How far each follower has read. A cursor is a snapshot: new is what is visible now and was not visible then.
create table followers (
  name text primary key,
  seen pg_snapshot not null,
  -- While a backlog is read in pages: the snapshot that ends it, and the last entry that was read.
  page pg_snapshot,
  page_after bigint,
  moved_at timestamptz not null default now()
);

-- For changes made by hand in SQL, in their transaction: select note_change('dispatch.change', 'dis_…').
create function note_change(kind text, subject text, environment text default 'production') returns bigint
language sql set search_path from current as $$
  insert into journal (at, kind, subject, environment) values (now(), kind, subject, environment) returning seq
$$;
