-- breaks: no
-- Hints that a user has put away, such as the offer of an authenticator app.
alter table users add column dismissed_hints text[] not null default '{}';
