import Type, { type Static } from "typebox";
import { NAME_CHARACTERS } from "../constants.js";
import { endpoint } from "../endpoint.js";
import { tableFiles } from "../v2022-04-15/performance.js";
import { fileFormat } from "../v2022-04-15/report.js";
import {
  accountName,
  boolean,
  byId,
  customerLocationId,
  dispatchGroup,
  id,
  meterName,
  moment,
  nullable,
  number,
  siteName,
  string,
  Timezone,
  text,
  timezone,
} from "../values.js";
import { confirmNearMatch } from "./confirm-near-match.js";
import { PageQuery, pageOf } from "./list.js";

export const assetTypes = ["load", "generator", "battery", "poi"] as const;
export const AssetType = Type.Enum([...assetTypes], {
  description: "What the meter measures; `poi` is the point of interconnection.",
});

export const kwhMeanings = ["energy", "charge"] as const;
export const KwhMeans = Type.Enum([...kwhMeanings, "undecided"], {
  description:
    "What uploaded kWh of the meter mean: `energy` of the interval, or `charge`, the state of charge of a battery, which is kept apart and is no load. `undecided`: a battery whose earlier readings may have been either; kWh count as energy until you decide. Meters that are no battery have `energy`.",
});

/** Newest reading of a meter. */
export const lastReading = nullable(
  Type.Object(
    { timestamp: moment("End of the interval."), value: number("Mean power in kW. Negative for export.", 412.5) },
    { description: "Newest 30-second interval with a reading; null if there is none." },
  ),
);

/** Newest state of charge of a battery. */
export const lastCharge = nullable(
  Type.Object(
    { timestamp: moment("End of the interval."), value: number("State of charge in kWh.", 500) },
    { description: "Newest state of charge; null if there is none, or if the meter is no battery." },
  ),
);

export const OperatorMeter = Type.Object(
  {
    id: id("meter"),
    name: meterName,
    asset_type: AssetType,
    kwh_means: KwhMeans,
    last_reading: lastReading,
    last_charge: lastCharge,
  },
  { $id: "OperatorMeter", description: "A meter of a site." },
);
export type OperatorMeter = Static<typeof OperatorMeter>;

const measuredMeters = nullable(
  Type.Array(id("meter"), {
    minItems: 1,
    maxItems: 1000,
    description:
      "Meters whose sum is the load of the site. null: its meters of type `poi` or, without any, all of its meters.",
  }),
);

/** Where a site is on the map. */
export const latitude = number(
  "Degrees north of the equator (WGS 84), negative to the south. Kept to 6 decimals.",
  41.878114,
  {
    minimum: -90,
    maximum: 90,
  },
);
export const longitude = number(
  "Degrees east of Greenwich (WGS 84), negative to the west. Kept to 6 decimals.",
  -87.629798,
  {
    minimum: -180,
    maximum: 180,
  },
);
const coordinates = {
  latitude: nullable(latitude, "Degrees north of the equator (WGS 84); null if the site has no coordinates."),
  longitude: nullable(longitude, "Degrees east of Greenwich (WGS 84); null if the site has no coordinates."),
};
const givenCoordinates = {
  latitude: Type.Optional(
    nullable(
      latitude,
      "Degrees north of the equator (WGS 84), with `longitude`; both null for none. Kept to 6 decimals.",
    ),
  ),
  longitude: Type.Optional(
    nullable(longitude, "Degrees east of Greenwich (WGS 84), with `latitude`; both null for none. Kept to 6 decimals."),
  ),
};

export const OperatorSite = Type.Object(
  {
    id: id("site"),
    account_id: id("account", "Account of the site."),
    name: siteName,
    customer_location_id: customerLocationId,
    dispatch_group: dispatchGroup,
    timezone: timezone("Time zone of the site."),
    ...coordinates,
    created_at: moment("When the site was created.", "created"),
    display_enabled: boolean("Data visibility: whether users of the account see the site's data on pages.", true),
    display_enabled_at: nullable(moment("When data visibility was enabled; null while it is not.", "created")),
    measured_meters: measuredMeters,
    simulated: boolean("Whether the service simulates the site: it counts in no total, report or statement.", false),
    meters: Type.Array(OperatorMeter, { description: "Meters of the site." }),
  },
  { $id: "OperatorSite", description: "A physical location that can be curtailed." },
);
export type OperatorSite = Static<typeof OperatorSite>;

/** A site in a list over all accounts. */
export const SiteOfAccount = Type.Object(
  { ...OperatorSite.properties, account_name: accountName },
  { $id: "SiteOfAccount", description: "A site with the name of its account." },
);

const name = text(NAME_CHARACTERS, "Name of the site.", "Northgate Store 12", 1);
const customer_location_id = text(
  NAME_CHARACTERS,
  "The owner's own identifier, for example a store number.",
  "store-12",
);
const dispatch_group = text(NAME_CHARACTERS, "Group that the site is dispatched with.", "north");
const newMeterName = text(NAME_CHARACTERS, "Name of the meter.", "Main meter", 1);
const kwhMeans = (byDefault: string) =>
  Type.Optional(
    Type.Enum([...kwhMeanings], {
      description: `What uploaded kWh of the meter mean. \`charge\` is for batteries only; any other meter gets 400. ${byDefault}`,
    }),
  );
const newMeter = {
  name: newMeterName,
  asset_type: Type.Optional(Type.Enum([...assetTypes], { description: "What the meter measures. Default: `load`." })),
  kwh_means: kwhMeans("Default: `charge` for a battery, else `energy`."),
};

export const createSite = endpoint({
  id: "createSite",
  method: "POST",
  path: "/accounts/{id}/sites",
  once: "within",
  tag: "Sites",
  summary: "Create a site with its meters",
  description:
    "The site is not dispatched until it is enrolled in a program, and its data is not visible to the account's users until you enable it. A site that is almost the same as another one of the account needs `confirm_near_match`. To create many sites, import a file.",
  params: byId("account"),
  body: Type.Object({
    name,
    customer_location_id: Type.Optional(customer_location_id),
    dispatch_group: Type.Optional(dispatch_group),
    timezone: Type.Optional(text(64, "IANA time zone name. Default: UTC.", "America/Chicago", 1)),
    ...givenCoordinates,
    meters: Type.Optional(
      Type.Array(Type.Object(newMeter), { maxItems: 1000, description: "Meters of the site. Default: none." }),
    ),
    confirm_near_match: confirmNearMatch,
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
  description: "Returns the sites with their meters and newest readings, in order of creation.",
  params: byId("account"),
  query: PageQuery,
  reply: pageOf(OperatorSite),
});
const filters = {
  account_id: Type.Optional(id("account", "Only sites of this account.")),
  dispatch_group: Type.Optional(string("Only sites of this group.", "north")),
  located: Type.Optional(boolean("Only sites with coordinates or, if `false`, only those without.", false)),
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description: "Only sites whose name, `customer_location_id` or id contains this text, ignoring case.",
      examples: ["northgate"],
    }),
  ),
};

export const listAllSites = endpoint({
  id: "listAllSites",
  method: "GET",
  path: "/sites",
  tag: "Sites",
  summary: "List the sites of all accounts",
  description: "Returns the sites that meet all given filters, in order of creation.",
  query: Type.Object({
    ...PageQuery.properties,
    ...filters,
  }),
  reply: pageOf(SiteOfAccount),
});
export const downloadSites = endpoint({
  id: "downloadSites",
  method: "GET",
  path: "/sites/download",
  tag: "Sites",
  summary: "Download the sites of all accounts as a file",
  description:
    "One row per site of GET /sites: id, name, account_id, account_name, customer_location_id, dispatch_group, timezone, display_enabled_at, created_at, meters (their number), last_reading_at, simulated, latitude, longitude. In CSV, an apostrophe precedes names that a spreadsheet would take for a formula.",
  query: Type.Object({ ...filters, format: fileFormat }),
  files: tableFiles,
});
export const getSite = endpoint({
  id: "getSite",
  method: "GET",
  path: "/sites/{id}",
  tag: "Sites",
  summary: "Retrieve a site",
  description: "Returns the site with its meters and their newest readings.",
  params: byId("site"),
  reply: OperatorSite,
});
export const changeSite = endpoint({
  id: "changeSite",
  method: "PATCH",
  path: "/sites/{id}",
  tag: "Sites",
  summary: "Change a site",
  description:
    "Members that are left out keep their value. Existing dispatches keep the name and the measured meters that the site had when they were created. An unknown time zone, a meter of another site, or one coordinate without the other gets 400.",
  params: byId("site"),
  body: Type.Object({
    name: Type.Optional(name),
    customer_location_id: Type.Optional(customer_location_id),
    dispatch_group: Type.Optional(dispatch_group),
    timezone: Type.Optional(Timezone),
    ...givenCoordinates,
    display_enabled: Type.Optional(
      boolean(
        "Data visibility for users of the account. Enable it once the telemetry of the site streams; `false` hides the data again.",
        true,
      ),
    ),
    measured_meters: Type.Optional(measuredMeters),
    confirm_near_match: confirmNearMatch,
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
  description:
    "The account can upload readings of the meter at once. Once a site has several meters, uploads must name the meter instead of the site. Meters cannot be deleted.",
  params: byId("site"),
  body: Type.Object({ ...newMeter, confirm_near_match: confirmNearMatch }),
  reply: OperatorMeter,
  status: 201,
});
export const changeMeter = endpoint({
  id: "changeMeter",
  method: "PATCH",
  path: "/meters/{id}",
  tag: "Sites",
  summary: "Change a meter",
  description:
    "Members that are left out keep their value. Stored readings do not change. A meter that has sent readings and becomes a battery is `undecided` unless `kwh_means` is given.",
  params: byId("meter"),
  body: Type.Object({
    name: Type.Optional(newMeterName),
    asset_type: Type.Optional(AssetType),
    kwh_means: kwhMeans("It holds for uploads from now on."),
    confirm_near_match: confirmNearMatch,
  }),
  reply: OperatorMeter,
});
