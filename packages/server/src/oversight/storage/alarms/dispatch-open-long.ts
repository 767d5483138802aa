import { IS_RUNNING } from "../../../dispatch/storage/dispatch-conditions.js";
import { formatTimestamp } from "../../../platform/timestamp.js";
import { alarmRule, WHEN_DISPATCHED } from "../alarm-rule.js";
import { count, text, time } from "../facts.js";

/** Dispatches without an end that have been running for longer than their program expects (G60). */
export const dispatchOpenLong = alarmRule({
  kind: "dispatch_open_long",
  find: `
    select dispatches.id as subject, null as account_id, program_name, start_time, longest_open_hours
    from dispatches join programs on programs.id = program_id
    where end_time is null and ${IS_RUNNING} and start_time < $1::timestamptz - longest_open_hours * interval '1 hour'
    order by dispatches.seq`,
  when: WHEN_DISPATCHED,
  facts: { program_name: text, start_time: time, longest_open_hours: count },
  message: ({ program_name, start_time, longest_open_hours: hours }) =>
    `The dispatch of ${program_name} that started at ${formatTimestamp(start_time)} has no end and has been running for ` +
    `more than ${hours} hour${hours === 1 ? "" : "s"}. End it if it was forgotten, or set its end. If such dispatches are ` +
    "meant to last longer, raise the program's longest dispatch without an end.",
});
