import type { operator } from "@curtail/contract";
import { type ReachChannel, reachChannels } from "@curtail/contract/lists/channels";
import { isSilent } from "./last-reading.js";

type Attention = operator.DispatchAttention;
export type SiteToAttend = NonNullable<Attention["worst_sites"]>[number];

/** What an operator does first about a site that falls short. */
export type Step = "call_unreached" | "check_readings" | "not_measured" | "call_short";

/** Whether the account was not notified, readings do not arrive or cannot be judged, or the site reduces too little. */
export const firstStep = ({ reached_by, last_reading_at, delivered_kw }: SiteToAttend, now: Date): Step => {
  if (reached_by === null) return "call_unreached";
  if (isSilent(last_reading_at, now)) return "check_readings";
  return delivered_kw === null ? "not_measured" : "call_short";
};

/** Channels with the accounts that they reached, without those that reached none. */
export const usedChannels = ({ reached_by }: Attention): ReadonlyArray<readonly [ReachChannel, number]> =>
  reachChannels.flatMap((channel) => (reached_by[channel] === 0 ? [] : [[channel, reached_by[channel]] as const]));

/** Unreached accounts that the list leaves out. */
export const unlisted = ({ accounts, reached, unreached }: Attention): number =>
  Math.max(0, accounts - reached - unreached.length);
