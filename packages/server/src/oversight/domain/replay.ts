import type { ReachChannel } from "../../platform/channel.js";

export interface ReplayEvent {
  /** From when it was known. */
  readonly at: Date;
  /** Distinguishes events of the same moment, causes before their consequences. */
  readonly key: string;
  readonly what:
    | "targeted"
    | "issued"
    | "changed"
    | "cancelled"
    | "voided"
    | "disabled"
    | "enabled"
    | "notified"
    | "phoned"
    | "alarm_raised"
    | "alarm_acknowledged"
    | "alarm_cleared"
    | "result";
  readonly accountId: string | null;
  readonly modificationNumber: number | null;
  readonly channel: ReachChannel | null;
  readonly actor: string | null;
  readonly startTime: Date | null;
  readonly endTime: Date | null;
  /** When a person was reached by phone. */
  readonly calledAt: Date | null;
  readonly detail: ReplayDetail;
}

/** Members that do not apply are absent. */
export interface ReplayDetail {
  readonly accountName?: string;
  readonly sites?: number;
  readonly commitmentKw?: number;
  readonly record?: boolean;
  readonly person?: string;
  readonly note?: string;
  readonly alarmId?: string;
  readonly alarmKind?: string;
  readonly reason?: string | null;
  readonly version?: number;
}

/** Where a page of events ends. */
export type ReplayPlace = Pick<ReplayEvent, "at" | "key">;
