import type { Dispatch } from "../../dispatch/domain/dispatch.js";
import type { WebhookEventName } from "./webhook.js";

/** What a message to people is about. */
export type Situation = "created" | "changed" | "cancelled" | "voided" | "over";

export const situationOf = ({
  dispatch,
  event,
  now,
}: {
  readonly dispatch: Dispatch;
  readonly event: WebhookEventName;
  readonly now: Date;
}): Situation => {
  if (dispatch.voidReason !== null) return "voided";
  if (!dispatch.authorized) return "cancelled";
  if (dispatch.end !== null && dispatch.end < now) return "over";
  return event === "dispatch.create" ? "created" : "changed";
};
