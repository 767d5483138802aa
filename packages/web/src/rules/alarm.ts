import type { operator, ReplyOf } from "@curtail/contract";

type Listed = ReplyOf<typeof operator.acknowledgeAlarm>;
type Alarm = Pick<Listed, "subject" | "message" | "account_id">;

/** The first id with a prefix in the subject or message of an alarm. */
export const namedIn = ({ subject, message }: Alarm, prefix: "dis" | "ven"): string | undefined =>
  new RegExp(`\\b${prefix}_\\w+`).exec(`${subject} ${message}`)?.[0];

/** The message without the id of the account, whose name the page shows. Consoles show the message, too. */
export const messageOf = ({ message, account_id }: Alarm): string => message.replace(` (${account_id})`, "");

/** Whether it is left out of the others for now. */
export const isShelved = (
  { shelved_until, cleared_at }: Pick<Listed, "shelved_until" | "cleared_at">,
  now: Date,
): boolean => cleared_at === null && shelved_until !== null && Date.parse(shelved_until) > now.getTime();
