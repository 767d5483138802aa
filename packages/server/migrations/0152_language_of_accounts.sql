-- breaks: no
-- Of what its contacts, chat addresses and users are sent; null: that of the service.
alter table accounts add column language text;
