import type { Clock, NewId } from "../../platform/clock.js";
import type { ReadStamps } from "../../platform/stamps.js";
import type { VenChannel } from "../operations/ven-channel.js";
import type { ParsedRequests } from "./parsed-requests.js";
import type { Recorded } from "./recorded.js";

export interface VtnLog {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** The result of a VEN's request, for metrics. */
export type VtnResult =
  | "events"
  | "no_events"
  | "acknowledged"
  | "other_ven"
  | "malformed"
  | "forbidden"
  | "not_found"
  | "cut_off"
  | "unavailable";

export interface VtnPorts {
  readonly channel: VenChannel;
  readonly readStamps: ReadStamps;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly vtnId: string;
  readonly requests: ParsedRequests;
  /** Events omitted because of a replyLimit. */
  readonly omitted: Recorded;
  /** Events that push VENs received by polling. */
  readonly polled: Recorded;
  readonly log: VtnLog;
  readonly notePoll: (ven: string, at: Date) => void;
  readonly observe: (result: VtnResult) => void;
}
