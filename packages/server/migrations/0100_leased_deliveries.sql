-- breaks: no
-- Whether a webhook that hangs has an attempt in flight is asked for each one: not all that are in flight are read.
create index deliveries_leased on deliveries (webhook_id) where state = 'pending' and leased_until is not null;
create index deliveries_leased on sandbox.deliveries (webhook_id) where state = 'pending' and leased_until is not null;
