-- breaks: no
-- null: that of the account.
alter table contacts add column language text;
