-- breaks: no
-- As for mails.
alter table phone_messages add column dropped_at timestamptz, add column drop_reason text;
