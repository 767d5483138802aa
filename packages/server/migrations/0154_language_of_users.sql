-- breaks: no
-- What the person chose; null: nothing.
alter table users add column language text;
