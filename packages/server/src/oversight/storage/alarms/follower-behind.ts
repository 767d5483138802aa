import { FOLLOWER_LAGS } from "../../../platform/database/follower-store.js";
import { alarmRule } from "../alarm-rule.js";
import { text, time } from "../facts.js";

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
