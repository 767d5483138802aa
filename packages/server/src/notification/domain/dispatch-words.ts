import type { Dispatch, DispatchSite } from "../../dispatch/domain/dispatch.js";
import { perWords, type Words } from "../../platform/words.js";
import type { WebhookEventName } from "./webhook.js";

/** What a site without a commitment reduces. */
export const asAgreed = (words: Words): string => words.say("as agreed with the operator");

/** The committed reduction of some sites. */
export interface Reduction {
  readonly commitmentKw: number;
  readonly siteCount: number;
  /** Sites without a commitment. */
  readonly openSites: number;
}

export const reductionOf = (sites: ReadonlyArray<Pick<DispatchSite, "commitmentKw">>): Reduction => {
  const known = sites.flatMap(({ commitmentKw }) => (commitmentKw === null ? [] : [commitmentKw]));
  return {
    commitmentKw: known.reduce((total, each) => total + each, 0),
    siteCount: sites.length,
    openSites: sites.length - known.length,
  };
};

/** "940 kW", "940 kW, and 2 sites as agreed with the operator", or "as agreed with the operator". */
export const reductionWords = (words: Words, { commitmentKw, siteCount, openSites }: Reduction): string => {
  if (openSites === siteCount) return asAgreed(words);
  const power = kilowatts(words, commitmentKw);
  if (openSites === 0) return power;
  return words.say("{power}, and {n, plural, one {# site} other {# sites}} as agreed with the operator", {
    power,
    n: openSites,
  });
};

const numberOf = perWords(({ locale }) => new Intl.NumberFormat(locale, { maximumFractionDigits: 3 }));
export const kilowatts = (words: Words, powerKw: number): string => `${numberOf(words).format(powerKw)} kW`;

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
