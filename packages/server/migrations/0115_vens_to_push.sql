-- breaks: no
-- Whether any VEN is to be pushed to is asked once a second.
create index vens_to_push on vens (seq) where push_url is not null and deleted_at is null and environment = 'production';
