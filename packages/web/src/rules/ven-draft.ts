import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { idsOf } from "./id-list.js";

export type Ven = operator.Ven;

/** How sites are named in events. */
export const resourceWords: Readonly<Record<Ven["targets"]["resource"], string>> = {
  site_id: say("site id"),
  customer_location_id: say("location id, or site id if a site has none"),
};

export const contextWords: Readonly<Record<Ven["market_context"], string>> = {
  "*": "*",
  program: say("one for each program", {}, "market context"),
};

/** Of a VEN that is not pushed to. */
export const POLLING = say("polling");

/** In place of a list of sites, of a VEN or a client. */
export const ALL_SITES = say("all of the account", {}, "sites");

/** The settings of a VEN in the form. */
export interface VenDraft {
  readonly way: "pull" | "push";
  readonly push_url: string;
  readonly ca_certificate: string;
  readonly resource: Ven["targets"]["resource"];
  readonly namesVen: boolean;
  readonly market_context: Ven["market_context"];
  readonly poll_interval: string;
  readonly sites: string;
}

export const newDraft: VenDraft = {
  way: "pull",
  push_url: "",
  ca_certificate: "",
  resource: "site_id",
  namesVen: true,
  market_context: "*",
  poll_interval: "60",
  sites: "",
};

export const draftOf = ({ transport, targets, market_context, poll_interval_seconds, sites }: Ven): VenDraft => ({
  way: transport === "pull" ? "pull" : "push",
  push_url: transport === "pull" ? "" : transport.push_url,
  ca_certificate: transport === "pull" ? "" : (transport.ca_certificate ?? ""),
  resource: targets.resource,
  namesVen: targets.ven_id,
  market_context,
  poll_interval: String(poll_interval_seconds),
  sites: sites === "all" ? "" : sites.join("\n"),
});

/** The request body. Sites of "" mean all sites of the account. */
export const settingsOf = (draft: VenDraft) => {
  const sites = idsOf(draft.sites);
  const ca_certificate = draft.ca_certificate.trim() === "" ? null : draft.ca_certificate.trim();
  return {
    sites: sites.length === 0 ? ("all" as const) : sites,
    transport: draft.way === "pull" ? ("pull" as const) : { push_url: draft.push_url.trim(), ca_certificate },
    targets: { resource: draft.resource, ven_id: draft.namesVen },
    market_context: draft.market_context,
    poll_interval_seconds: Number(draft.poll_interval),
  };
};
