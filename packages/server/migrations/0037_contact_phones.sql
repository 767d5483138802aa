-- breaks: no
-- Contacts may be notified by SMS or voice call, through the operator's gateway.
alter table contacts
  add column sms boolean not null default false,
  add column voice boolean not null default false;
