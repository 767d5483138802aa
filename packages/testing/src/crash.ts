import { checkedReplies } from "./child-replies.js";

/** Points at which `crash-at.mjs` kills a service. */
export type CrashPoint =
  | "before the commit of a dispatch"
  | "after the commit of a dispatch"
  | "after the making of a delivery"
  | "before the record of an attempt"
  | "after the record of an attempt"
  | "after the claim of a retry"
  | "after the locking of hours to pack"
  | "after the writing of packed days"
  | "before the commit of packed days"
  | "after the commit of packed days"
  | "before the appending to the log"
  | "after the appending to the log"
  | "after the writing of folded rows"
  | "before the commit of a fold"
  | "after the commit of a fold"
  | "after the record of an archive"
  | "before the commit of an archive"
  | "after the commit of an archive"
  | "before the commit of a demo's fleet"
  | "before the record of a demo's readings"
  | "before the commit of a demo's dispatches"
  | "after the deletion of a demo's telemetry"
  | "before the commit of a demo's end";

/** Settings of a service that dies at a point of its work; `path` is that of the webhook whose deliveries count. */
export const crashingAt = (point: CrashPoint, path = "/") => ({
  NODE_OPTIONS: `${checkedReplies.NODE_OPTIONS} --import ${new URL("../preload/crash-at.mjs", import.meta.url).href}`,
  CRASH_AT: point,
  CRASH_FOR: path,
});
