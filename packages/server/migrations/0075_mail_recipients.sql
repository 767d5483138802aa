-- breaks: no
-- Each recipient of a mail is a delivery of its own: what the mail server answered for each, each time, and what was sent.
create table mail_handovers (
  mail_id text not null,
  number int not null,
  at timestamptz not null,
  -- The state of the dispatch that it described.
  modification_number int not null,
  subject text not null,
  text text not null,
  primary key (mail_id, number)
);
create table mail_recipients (
  mail_id text not null,
  number int not null,
  email text not null,
  name text not null,
  -- deferred: refused for now (4xx). refused: for good (5xx).
  answer text not null check (answer in ('accepted', 'deferred', 'refused')),
  reply text,
  primary key (mail_id, number, email)
);
create index on mail_recipients (lower(email));
create trigger is_append_only before update or delete or truncate on mail_handovers
  for each statement execute function refuse_evidence_change();
create trigger is_append_only before update or delete or truncate on mail_recipients
  for each statement execute function refuse_evidence_change();
-- A mail that some recipients have: when the others are tried again; null: nobody is left.
alter table mails add column retry_at timestamptz;
alter table sandbox.mails add column retry_at timestamptz;
create index on mails (retry_at) where retry_at is not null;
