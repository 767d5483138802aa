import type { Clock, NewId } from "../../platform/clock.js";
import type { Log } from "../../platform/log.js";
import type { ReadStamps } from "../../platform/stamps.js";
import type { Tracing } from "../../platform/tracing.js";
import type { VenChannel } from "../operations/ven-channel.js";
import type { ParsedRequests } from "./parsed-requests.js";
import type { Recorded } from "./recorded.js";

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
  readonly log: Log;
  readonly notePoll: (ven: string, at: Date) => void;
  readonly observe: (result: VtnResult) => void;
  /** null: polls are not traced. */
  readonly tracing: Tracing | null;
}
