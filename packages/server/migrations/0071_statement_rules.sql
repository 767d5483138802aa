-- breaks: no
-- Statements list lines whose amount changed apart from those that are only traced to something else.
alter table statement_versions
  add column traces jsonb not null default '[]',
  add column trace_count int not null default 0;
