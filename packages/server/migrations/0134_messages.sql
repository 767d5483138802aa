-- breaks: yes, because processes of earlier versions claim deliveries from a table that has another name
-- The mailbox: one table for the messages of all channels, and one for the attempts at them. Deliveries to webhooks are its first channel.
-- `recipient` is whoever gets one after the other, `subject` is what they are about: a recipient gets those of one subject in their order.
alter table deliveries rename to messages;
alter table sandbox.deliveries rename to messages;
alter table messages rename column webhook_id to recipient;
alter table sandbox.messages rename column webhook_id to recipient;
alter table messages rename column dispatch_id to subject;
alter table sandbox.messages rename column dispatch_id to subject;
alter table messages rename column dropped_at to ended_at;
alter table sandbox.messages rename column dropped_at to ended_at;
alter table messages rename column drop_reason to reason;
alter table sandbox.messages rename column drop_reason to reason;
alter table messages rename constraint deliveries_drop_reason_check to messages_reason_check;
alter table sandbox.messages rename constraint deliveries_drop_reason_check to messages_reason_check;
alter table messages add column channel text not null default 'webhook';
alter table sandbox.messages add column channel text not null default 'webhook';

drop index deliveries_due, sandbox.deliveries_due;
create index messages_due on messages (channel, next_attempt_at) where state = 'pending' and not behind;
create index messages_due on sandbox.messages (channel, next_attempt_at) where state = 'pending' and not behind;

alter table delivery_attempts rename to message_attempts;
alter table sandbox.delivery_attempts rename to message_attempts;
alter table message_attempts rename column delivery_id to message_id;
alter table sandbox.message_attempts rename column delivery_id to message_id;
