import { checkedReplies } from "./child-replies.js";

const preload = new URL("../preload/clock-ahead.mjs", import.meta.url).href;

/** Settings of a service that is started so much later, without the wait; it may also be one that crashes. */
export const startedLater = (aheadMs: number, settings: Readonly<Record<string, string>>) => ({
  ...settings,
  NODE_OPTIONS: `${settings["NODE_OPTIONS"] ?? checkedReplies.NODE_OPTIONS} --import ${preload}`,
  CLOCK_AHEAD_MS: String(aheadMs),
});
