import type { WindowsOf } from "../../access/caller/shared-limits.js";
import type { KeyCheckSettings } from "../../access/http/api-key-check.js";
import type { AnswerBudget } from "../../platform/http/answer-budget.js";
import type { ListenerSettings } from "../../platform/http/bare-server.js";
import type { CallerTurns } from "../../platform/http/caller-turns.js";
import type { UploadSettings } from "../../telemetry/http/participant-telemetry.js";

export type ServerSettings = KeyCheckSettings & ListenerSettings & Omit<UploadSettings, "bodies">;

/** Shared by all routes of a listener. */
interface Limits extends Pick<UploadSettings, "bodies"> {
  readonly budget: AnswerBudget;
  /** Files of meter data, one at a time. */
  readonly imports: CallerTurns;
  /** Requests of callers. */
  readonly windowsOf: WindowsOf;
}

export type LimitedSettings = ServerSettings & Limits;
