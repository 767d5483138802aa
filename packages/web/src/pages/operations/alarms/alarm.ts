import type { operator, ReplyOf } from "@curtail/contract";

export type Alarm = ReplyOf<typeof operator.acknowledgeAlarm>;
