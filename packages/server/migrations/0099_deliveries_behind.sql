-- breaks: no
-- Deliveries to webhooks that hung at their last attempt are claimed by a loop of their own. Neither loop has an index that the
-- planner could take for the other's: with statistics from before, it read all that was behind for each webhook.
alter table deliveries add column behind boolean not null default false;
alter table sandbox.deliveries add column behind boolean not null default false;
drop index deliveries_next_attempt_at_idx;
drop index sandbox.deliveries_next_attempt_at_idx;
create index deliveries_due on deliveries (next_attempt_at) where state = 'pending' and not behind;
create index deliveries_due on sandbox.deliveries (next_attempt_at) where state = 'pending' and not behind;
create index deliveries_behind on deliveries (webhook_id, seq) where state = 'pending' and behind;
create index deliveries_behind on sandbox.deliveries (webhook_id, seq) where state = 'pending' and behind;
