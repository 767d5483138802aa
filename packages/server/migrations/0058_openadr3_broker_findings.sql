-- breaks: no
-- What a person has to mend at a broker of OpenADR 3.1: another process than the one that saw it raises the alarms.
create table openadr3_broker_findings (
  kind text not null check (kind in ('client_identifiers', 'default_access', 'shared_client')),
  -- Of the broker itself: empty. Otherwise the client.
  subject text not null default '',
  found_at timestamptz not null,
  primary key (kind, subject)
);
