import { FOLLOWER_LAGS } from "../../../platform/database/follower-store.js";
import { STUCK_FAILURES } from "../../../platform/follower.js";
import { alarmRule } from "../alarm-rule.js";
import { count, text, time } from "../facts.js";

/** Followers of the journal that are later than they may be. */
export const followerBehind = alarmRule({
  kind: "follower_behind",
  find: `
    select name as subject, null as account_id, waits_since from (${FOLLOWER_LAGS}) as lags
    where waits_since < $1::timestamptz - behind_after_seconds * interval '1 second' order by name`,
  facts: { subject: text, waits_since: time },
  message: ({ subject, waits_since }) =>
    `Changes since ${waits_since.toISOString()} have not reached ${subject}. Check that a process with the role worker ` +
    "runs, the load of the database, and the log for failures of this follower.",
});

/** The most that are named of each follower: usually all have the same cause. */
const NAMED = 20;

/** Subjects whose changes a follower fails to follow again and again. */
export const followerStuck = alarmRule({
  kind: "follower_stuck",
  find: `
    select follower || ' ' || of_subject as subject, null as account_id, follower, of_subject, kind, failures, error
    from (
      select follower, subject as of_subject, seq, kind, failures, error,
        row_number() over (partition by follower order by seq) as place
      from follower_faults where failures >= ${STUCK_FAILURES}
    ) as stuck
    where place <= ${NAMED} order by follower, seq`,
  facts: { follower: text, of_subject: text, kind: text, failures: count, error: text },
  message: ({ follower, of_subject, kind, failures, error }) =>
    `${follower} failed ${failures} times to follow ${kind} of ${of_subject}, and later changes of it wait: ${error}. ` +
    `The log has the whole error. It is tried again every five minutes; once the cause is removed, run "curtail admin ` +
    `followers retry ${follower}".`,
});
