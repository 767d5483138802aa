-- breaks: no
-- A subscription's last notifications, of a client that has many of others.
create index on openadr3_deliveries (subscription_id, seq);
