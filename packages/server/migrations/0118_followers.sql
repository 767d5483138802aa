-- breaks: no
-- What each follower follows, and what it could not.
alter table followers
  -- As the last process that began to serve says: metrics and alarms ask for them.
  add column kinds text[] not null default '{}',
  add column behind_after_seconds int not null default 60;

-- Entries whose follower failed, and later ones of their subjects. The journal forgets an entry that was read; this keeps it.
create table follower_faults (
  follower text not null,
  seq bigint not null,
  environment text not null,
  at timestamptz not null,
  kind text not null,
  subject text not null,
  ref bigint,
  accounts text[],
  -- null: it waits for an earlier entry of its subject.
  next_attempt_at timestamptz,
  -- 0 for what waits, and for what a newer version has to read.
  failures int not null default 0,
  error text,
  since timestamptz not null,
  primary key (follower, seq)
);
create index on follower_faults (follower, environment, subject, seq);
create index on follower_faults (next_attempt_at) where next_attempt_at is not null;
