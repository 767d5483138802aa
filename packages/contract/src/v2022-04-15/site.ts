import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { AssetType } from "../operator-v1/site.js";
import { customerLocationId, id, meterName, siteName } from "../values.js";
import { paging } from "./list.js";

export const Meter = Type.Object(
  { id: id("meter"), name: meterName, asset_type: AssetType },
  { $id: "Meter", description: "A datastream that sends energy data, usually a utility meter." },
);

/** A single physical location that can be curtailed. */
export const Site = Type.Object(
  {
    id: id("site"),
    customer_location_id: customerLocationId,
    name: siteName,
    meters: Type.Array(Meter, { description: "Meters of the site." }),
  },
  { $id: "Site", description: "A single physical location that can be curtailed." },
);
export type Site = Static<typeof Site>;

export const listSites = endpoint({
  id: "listSites",
  method: "GET",
  path: "/sites",
  isTagged: true,
  tag: "Sites",
  summary: "List your sites and their meters",
  description:
    "Returns all sites of the account in one reply; the list may be empty early in onboarding. The ids identify sites and meters in dispatches and telemetry. With `If-None-Match` set to the `ETag` of the last reply, an unchanged list gets 304. The operator creates sites; this interface cannot change them.",
  reply: Type.Object(
    { ...paging, sites: Type.Array(Site, { description: "All sites of the account." }) },
    { $id: "SiteList", description: "Sites of the account." },
  ),
});
