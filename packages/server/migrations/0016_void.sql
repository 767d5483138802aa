-- breaks: no
-- Why an operator voided a dispatch after its end; null unless one did.
alter table dispatches add column void_reason text;
-- The sandbox's table has the same shape.
alter table sandbox.dispatches add column void_reason text;
