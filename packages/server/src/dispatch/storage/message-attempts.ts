/**
 * Part of a record's statement: attempts are evidence, also those under a lease that is over. An outcome keeps `at`, `status`, `durationMs`,
 * `address` and `error` of its attempt.
 *
 * @param isEvidence condition on the message, in the table
 */
export const recordedAttempts = (table: "messages" | "passing_messages", isEvidence = "true"): string => `attempted as (
    insert into message_attempts (message_id, number, at, status, duration_ms, address, error, is_resend, gave_up)
    select id, 1 + (select coalesce(max(number), 0) from message_attempts where message_id = id), attempt.at, status, "durationMs",
      attempt.address, attempt.error, false, outcome = 'failed' and id in (select id from recorded)
    from given join ${table} using (id)
    cross join jsonb_to_record(kept) as attempt (at timestamptz, status int, "durationMs" int, address text, error text)
    where ${isEvidence} and attempt.at is not null
      and not exists (select from message_attempts as made where message_id = id and made.at = attempt.at)
  )`;
