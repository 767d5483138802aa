import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { id, nullable, Timestamp, Timezone, text } from "../values.js";
import { byId, PageQuery, pageOf } from "./list.js";

export const assetTypes = ["load", "generator", "battery", "poi"] as const;
export const AssetType = Type.Enum([...assetTypes], { description: "What the meter measures; load unless given." });

export const OperatorMeter = Type.Object(
  {
    id: id("meter", "Meter id."),
    name: Type.String(),
    asset_type: AssetType,
    last_reading: nullable(
      Type.Object(
        { timestamp: Timestamp, value: Type.Number({ description: "kW" }) },
        { description: "Newest grid cell." },
      ),
    ),
  },
  { $id: "OperatorMeter" },
);
export type OperatorMeter = Static<typeof OperatorMeter>;

export const OperatorSite = Type.Object(
  {
    id: id("site", "Site id."),
    account_id: id("account", "Account the site belongs to."),
    name: Type.String(),
    customer_location_id: Type.String(),
    dispatch_group: Type.String(),
    timezone: Type.String(),
    created_at: Timestamp,
    display_enabled: Type.Boolean({ description: "Whether its participant's people see its data on pages." }),
    display_enabled_at: nullable(Timestamp),
    meters: Type.Array(OperatorMeter),
  },
  { $id: "OperatorSite" },
);
export type OperatorSite = Static<typeof OperatorSite>;

/** A site in a list over all accounts. */
export const SiteOfAccount = Type.Object(
  { ...OperatorSite.properties, account_name: Type.String() },
  { $id: "SiteOfAccount" },
);

const name = text(200, "Name of the site.", 1);
const customer_location_id = text(200, "The owner's own identifier, for example a store number.");
const dispatch_group = text(200, "Group the site is dispatched with.");
const meterName = text(200, "Name of the meter.", 1);

export const createSite = endpoint({
  id: "createSite",
  method: "POST",
  path: "/accounts/{id}/sites",
  once: "within",
  tag: "Sites",
  summary: "Create a site with its meters",
  params: byId,
  body: Type.Object({
    name,
    customer_location_id: Type.Optional(customer_location_id),
    dispatch_group: Type.Optional(dispatch_group),
    timezone: Type.Optional(Timezone),
    meters: Type.Optional(
      Type.Array(Type.Object({ name: meterName, asset_type: Type.Optional(AssetType) }), { maxItems: 1000 }),
    ),
  }),
  reply: OperatorSite,
  status: 201,
});
export const listAccountSites = endpoint({
  id: "listAccountSites",
  method: "GET",
  path: "/accounts/{id}/sites",
  tag: "Sites",
  summary: "List an account's sites",
  params: byId,
  query: PageQuery,
  reply: pageOf(OperatorSite),
});
export const listAllSites = endpoint({
  id: "listAllSites",
  method: "GET",
  path: "/sites",
  tag: "Sites",
  summary: "List the sites of all accounts",
  query: Type.Object({
    ...PageQuery.properties,
    account_id: Type.Optional(Type.String({ description: "Those of one account." })),
    dispatch_group: Type.Optional(Type.String({ description: "Those of one group." })),
    search: Type.Optional(
      Type.String({
        maxLength: 200,
        description: "Those whose name, customer_location_id or id has this in it, whatever its letters' case.",
      }),
    ),
  }),
  reply: pageOf(SiteOfAccount),
});
export const getSite = endpoint({
  id: "getSite",
  method: "GET",
  path: "/sites/{id}",
  tag: "Sites",
  summary: "Retrieve a site",
  params: byId,
  reply: OperatorSite,
});
export const changeSite = endpoint({
  id: "changeSite",
  method: "PATCH",
  path: "/sites/{id}",
  tag: "Sites",
  summary: "Change a site",
  params: byId,
  body: Type.Object({
    name: Type.Optional(name),
    customer_location_id: Type.Optional(customer_location_id),
    dispatch_group: Type.Optional(dispatch_group),
    timezone: Type.Optional(Timezone),
    display_enabled: Type.Optional(
      Type.Boolean({ description: "Enable it once the site's telemetry streams; false hides its data again." }),
    ),
  }),
  reply: OperatorSite,
});
export const createMeter = endpoint({
  id: "createMeter",
  method: "POST",
  path: "/sites/{id}/meters",
  once: "within",
  tag: "Sites",
  summary: "Add a meter to a site",
  params: byId,
  body: Type.Object({ name: meterName, asset_type: Type.Optional(AssetType) }),
  reply: OperatorMeter,
  status: 201,
});
export const changeMeter = endpoint({
  id: "changeMeter",
  method: "PATCH",
  path: "/meters/{id}",
  tag: "Sites",
  summary: "Change a meter",
  params: byId,
  body: Type.Object({ name: Type.Optional(meterName), asset_type: Type.Optional(AssetType) }),
  reply: OperatorMeter,
});
