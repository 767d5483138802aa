-- breaks: no
-- Answers to requests that carried an Idempotency-Key, for a day: the same request again gets the same answer. The row
-- is written in the transaction of the change that it answers.
create table kept_answers (
  -- Hash of holder, path and key.
  id text primary key,
  holder text not null,
  -- Of query and body.
  request_hash bytea not null,
  claimed_at timestamptz not null,
  -- Sealed, since it may hold what is shown once only. Null while an effect outside the database is under way, and for
  -- good where the process ended before it knew.
  answer text
);
create index on kept_answers (claimed_at);
create table sandbox.kept_answers (like kept_answers including all);

-- What keys of the sandbox asked.
create table sandbox.request_log (like request_log including all);
