-- breaks: no
-- Spans find the request that changed a dispatch. Entries have a trace only while requests are traced.
create index journal_traced on journal (subject) where trace is not null;
-- Of all processes that notice it, one records the first reading below the target.
create unique index journal_below_target on journal (subject) where kind = 'trace.below_target';
