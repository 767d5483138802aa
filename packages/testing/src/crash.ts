import { repliesHeld } from "./child-replies.js";

/** Points of the work at which `crash-at.mjs` ends a service. */
export type CrashPoint =
  | "before the commit of a dispatch"
  | "after the commit of a dispatch"
  | "after the making of a delivery"
  | "before the record of an attempt"
  | "after the record of an attempt"
  | "after the claim of a retry";

/** Settings of a service that dies at a point of the work, once it comes to it for the webhook of a path. */
export const crashingAt = (point: CrashPoint, path: string) => ({
  NODE_OPTIONS: `${repliesHeld.NODE_OPTIONS} --import ${new URL("../preload/crash-at.mjs", import.meta.url).href}`,
  CRASH_AT: point,
  CRASH_FOR: path,
});
