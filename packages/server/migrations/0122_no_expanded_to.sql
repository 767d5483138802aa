-- breaks: no
-- Nothing has written it since webhooks are expanded by what is behind.
alter table notices drop column expanded_to;
alter table sandbox.notices drop column expanded_to;
