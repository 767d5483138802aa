-- breaks: no
-- The order of what is pending for a webhook. The index had messages of all channels, so a claim of emails might read by it those of ten thousand
-- webhooks, while statistics say that nothing is pending. Statements of earlier versions find the same rows by other indexes.
drop index messages_recipient_subject_seq_idx;
create index messages_of_webhooks on messages (recipient, subject, seq) where channel = 'webhook' and state = 'pending';
