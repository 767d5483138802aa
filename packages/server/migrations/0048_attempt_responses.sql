-- breaks: no
-- The start of what the receiver of a webhook responded, as text; null without a response, and before this was kept.
alter table delivery_attempts add column response_type text, add column response_body text;
alter table sandbox.delivery_attempts add column response_type text, add column response_body text;
