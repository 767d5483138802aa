-- breaks: no
-- As for mails.
alter table personal_notices add column dropped_at timestamptz, add column drop_reason text;
