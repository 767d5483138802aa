import type { operator, ReplyOf } from "@curtail/contract";

type Alarm = Pick<ReplyOf<typeof operator.acknowledgeAlarm>, "subject" | "message" | "account_id">;

/** The first thing of a kind, by the beginning of its id, that an alarm's subject or message names. */
export const namedIn = ({ subject, message }: Alarm, prefix: "dis" | "ven"): string | undefined =>
  new RegExp(`\\b${prefix}_\\w+`).exec(`${subject} ${message}`)?.[0];

/** The message without the id of the account, which stands above it by its name; it is made for a console, too. */
export const messageOf = ({ message, account_id }: Alarm): string => message.replace(` (${account_id})`, "");
