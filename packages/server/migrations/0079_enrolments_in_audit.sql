-- breaks: no
-- The enrolments of a month are read from the audit log.
create index on audit_log (account_id) where action in ('program.enrol', 'program.withdraw');
