import type { Dispatch, DispatchSite } from "../../dispatch/domain/dispatch.js";
import type { WebhookEventName } from "./webhook.js";

/** What a site without a commitment reduces. */
export const AS_AGREED = "as agreed with the operator";

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
export const reductionWords = ({ commitmentKw, siteCount, openSites }: Reduction): string => {
  if (openSites === siteCount) return AS_AGREED;
  const sum = kilowatts(commitmentKw);
  return openSites === 0 ? sum : `${sum}, and ${openSites} ${openSites === 1 ? "site" : "sites"} ${AS_AGREED}`;
};

const number = new Intl.NumberFormat("en-US", { maximumFractionDigits: 3 });
export const kilowatts = (powerKw: number): string => `${number.format(powerKw)} kW`;

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
