-- breaks: no
-- Participants' systems list the resends of the last day.
create index on audit_log (account_id, at) where action = 'delivery.resend';
create index on sandbox.audit_log (account_id, at) where action = 'delivery.resend';
