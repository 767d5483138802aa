-- breaks: no
-- Evidence names accounts as they were named then.
create index on audit_log (subject) where action = 'account.change';
