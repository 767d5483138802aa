import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { id } from "../values.js";

export const Meter = Type.Object(
  {
    id: id("meter", "Primary key of the meter."),
    name: Type.String({ description: "Meter name." }),
  },
  { $id: "Meter" },
);

/** A single physical location that can be curtailed. */
export const Site = Type.Object(
  {
    id: id("site", "Identifier made by the service."),
    customer_location_id: Type.String({ description: 'The owner\'s own identifier, "" where none was given.' }),
    name: Type.String({ description: "Descriptive name; it may change." }),
    meters: Type.Array(Meter, { description: "Datastreams attached to the site." }),
  },
  { $id: "Site" },
);
export type Site = Static<typeof Site>;

export const listSites = endpoint({
  id: "listSites",
  method: "GET",
  path: "/sites",
  tag: "Sites",
  summary: "List your sites and their meters",
  description: "All sites come back in one call; page and perPage are 0.",
  reply: Type.Object({ page: Type.Integer(), perPage: Type.Integer(), sites: Type.Array(Site) }, { $id: "SiteList" }),
});
