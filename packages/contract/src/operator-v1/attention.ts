import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { channels, forEachReach, reachChannels } from "../lists/channels.js";
import { modificationNumber } from "../v2022-04-15/dispatch.js";
import { SitePerformance } from "../v2022-04-15/site-performance.js";
import { accountName, byId, Commitment, id, integer, moment, nullable, number, siteName } from "../values.js";
import { firstContact } from "./alarm.js";

const reachedOver = (how: string, example: number) => integer(`Number of accounts ${how}.`, example);

const UnreachedAccount = Type.Object(
  {
    account_id: id("account"),
    account_name: accountName,
    sites: integer("Number of its sites in the dispatch.", 3),
    commitment_kw: number("Sum of their commitments in kW; a null commitment counts as 0.", 940),
    contact: firstContact,
  },
  { $id: "UnreachedAccount", description: "An account that nothing has reached with the latest modification." },
);
export type UnreachedAccount = Static<typeof UnreachedAccount>;

const SiteToAttend = Type.Object(
  {
    site_id: id("site"),
    site_name: siteName,
    account_id: id("account", "Account of the site."),
    account_name: accountName,
    status: SitePerformance.properties.status,
    commitment_kw: Commitment,
    delivered_kw: nullable(number("Current reduction in kW; null while it is unknown.", 120)),
    shortfall_kw: number("Commitment minus delivered, in kW; the whole commitment while the latter is unknown.", 130),
    last_reading_at: nullable(moment("Newest reading of its meters; null if there is none.")),
    reached_by: nullable(
      Type.Enum([...reachChannels], {
        description: "Channel that reached the account first; null if nothing has reached it.",
      }),
    ),
    reached_at: nullable(
      moment("When it did; null if nothing has reached it, or if the time is not known.", "notified"),
    ),
    contact: firstContact,
  },
  { $id: "SiteToAttend", description: "A site that delivers less than it committed, and what may explain it." },
);
export type SiteToAttend = Static<typeof SiteToAttend>;

export const DispatchAttention = Type.Object(
  {
    as_of: moment("When this was computed."),
    modification_number: modificationNumber,
    accounts: integer("Number of accounts in the dispatch that are not disabled.", 8),
    reached: integer("How many of them the latest modification has reached, over any channel.", 6),
    reached_by: Type.Object(
      forEachReach((channel) => reachedOver(channels[channel].reach.how, channels[channel].reach.example)),
      { description: "Accounts by channel; an account may be in several." },
    ),
    unreached: Type.Array(UnreachedAccount, {
      description: "Accounts that it has not reached, the largest commitments first, at most 20.",
    }),
    worst_sites: nullable(
      Type.Array(SiteToAttend, {
        description:
          "Sites below their commitment, the largest shortfalls first, at most 5; null while not measured yet.",
      }),
    ),
  },
  { $id: "DispatchAttention", description: "What an operator should look at in a dispatch." },
);
export type DispatchAttention = Static<typeof DispatchAttention>;

export const getDispatchAttention = endpoint({
  id: "getDispatchAttention",
  method: "GET",
  path: "/dispatches/{id}/attention",
  tag: "Dispatches",
  summary: "Retrieve what needs attention in a dispatch",
  description:
    "Returns how many accounts the latest modification has reached and over which channels, the accounts that it has not (none for a record, of which nobody is notified), with a contact to call, and the sites with the largest shortfall. The first request for a dispatch starts to measure it, and returns null for its sites.",
  params: byId("dispatch"),
  reply: DispatchAttention,
});
