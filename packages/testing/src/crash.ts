import { repliesHeld } from "./child-replies.js";

/** Points at which `crash-at.mjs` kills a service. */
export type CrashPoint =
  | "before the commit of a dispatch"
  | "after the commit of a dispatch"
  | "after the making of a delivery"
  | "before the record of an attempt"
  | "after the record of an attempt"
  | "after the claim of a retry";

/** Settings of a service that dies at a point of its work for the webhook with a path. */
export const crashingAt = (point: CrashPoint, path: string) => ({
  NODE_OPTIONS: `${repliesHeld.NODE_OPTIONS} --import ${new URL("../preload/crash-at.mjs", import.meta.url).href}`,
  CRASH_AT: point,
  CRASH_FOR: path,
});
