-- breaks: no
-- When and why nothing more was sent; null in mails that were dropped because a later one said more.
alter table mails add column dropped_at timestamptz, add column drop_reason text;
alter table sandbox.mails add column dropped_at timestamptz, add column drop_reason text;
