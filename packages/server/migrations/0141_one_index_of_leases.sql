-- breaks: no
-- Whoever looks for what is leased looks among what is pending, and `messages_leased` has all of that: each claim wrote both.
drop index messages_leased_until_idx, sandbox.messages_leased_until_idx;
