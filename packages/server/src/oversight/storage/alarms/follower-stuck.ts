import { STUCK_FAILURES } from "../../../platform/follower.js";
import { alarmRule } from "../alarm-rule.js";
import { count, text } from "../facts.js";

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
