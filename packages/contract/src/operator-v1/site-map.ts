import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { dispatchEnd, dispatchStart } from "../v2022-04-15/dispatch.js";
import { boolean, id, integer, moment, nullable, number, programName, siteName, string, timezone } from "../values.js";
import { siteCount } from "./dispatch.js";
import { latitude, longitude } from "./site.js";

/** A site as a point of the map. */
const MappedSite = Type.Object(
  {
    id: id("site"),
    account_id: id("account", "Account of the site."),
    name: siteName,
    latitude,
    longitude,
    commitment_kw: nullable(
      number("Largest commitment of the site among its enrolments, in kW; null without one.", 120),
    ),
    simulated: boolean("Whether the service simulates the site.", false),
  },
  { $id: "MappedSite", description: "A site with coordinates." },
);
export type MappedSite = Static<typeof MappedSite>;

const MapTiles = Type.Object(
  {
    url: string(
      "Template of the addresses of raster tiles, with `{z}`, `{x}` and `{y}`.",
      "https://tiles.example.com/{z}/{x}/{y}.png",
    ),
    attribution: string("What the source of the tiles asks to be shown; may be empty.", "© OpenStreetMap contributors"),
  },
  { $id: "MapTiles", description: "Source of a background of the map." },
);
export type MapTiles = Static<typeof MapTiles>;

export const SiteMap = Type.Object(
  {
    sites: Type.Array(MappedSite, { description: "Sites with coordinates, in order of creation." }),
    without_coordinates: integer("Number of sites without coordinates.", 2),
    tiles: nullable(MapTiles, "Background of the map by the settings of the service; null: the outline of countries."),
  },
  { $id: "SiteMap", description: "Where the sites of all accounts are." },
);
export type SiteMap = Static<typeof SiteMap>;

export const getSiteMap = endpoint({
  id: "getSiteMap",
  method: "GET",
  path: "/sites/map",
  isTagged: true,
  tag: "Sites",
  summary: "Retrieve where sites are",
  description:
    "Returns all sites that have coordinates, in one reply. With `If-None-Match` set to the `ETag` of the last reply, an unchanged map gets 304. Coordinates are set with a site, or imported.",
  reply: SiteMap,
});

/** Most sites of a reply. */
export const MAX_SHORT_SITES = 2000;

export const shortStates = ["not_notified", "well_below", "below", "no_readings"] as const;

const ShortSite = Type.Object(
  {
    site_id: id("site"),
    dispatch_id: id("dispatch"),
    state: Type.Enum([...shortStates], {
      description:
        "Why it counts: `not_notified` if its account was not notified of the latest modification, otherwise its performance status, or `no_readings`.",
    }),
    delivered_kw: nullable(number("Current reduction in kW; null while it is unknown.", 31.5)),
    short_kw: number("Its commitment less what it delivers, in kW; without readings, all of its commitment.", 88.5),
  },
  { $id: "ShortSite", description: "A site that delivers less than it is committed to." },
);
export type ShortSite = Static<typeof ShortSite>;

const ShortDispatch = Type.Object(
  {
    id: id("dispatch"),
    program_name: programName,
    timezone: timezone("Time zone of the program."),
    start_time: dispatchStart,
    end_time: dispatchEnd,
    ramp_until: nullable(
      moment(
        "Until then no site of the dispatch is short: the ramp-up time of its program; null without one.",
        "start",
      ),
    ),
    sites: siteCount,
    sites_measured: nullable(integer("Number of sites whose reduction is known; null while it is being read.", 12)),
    short_sites: integer("Number of its sites that are short.", 3),
    short_kw: nullable(
      number(
        "What the dispatch lacks now, in kW: what other sites deliver beyond their commitments offsets it. null while it is unknown.",
        210,
      ),
    ),
  },
  { $id: "ShortDispatch", description: "A dispatch in progress, and what it lacks." },
);
export type ShortDispatch = Static<typeof ShortDispatch>;

export const ShortSites = Type.Object(
  {
    as_of: moment("When the figures were read."),
    dispatches: Type.Array(ShortDispatch, { description: "Dispatches in progress, earliest start first." }),
    sites: Type.Array(ShortSite, {
      description: `Sites that are short, the largest shortfall first, at most ${MAX_SHORT_SITES.toLocaleString("en")}.`,
    }),
  },
  { $id: "ShortSites", description: "Which sites are short in dispatches in progress." },
);
export type ShortSites = Static<typeof ShortSites>;

export const listShortSites = endpoint({
  id: "listShortSites",
  method: "GET",
  path: "/sites/short",
  tag: "Sites",
  summary: "List the sites that are short now",
  description:
    "Returns the sites of dispatches in progress that deliver less than they are committed to, as their performance status says it, or that have no readings. Simulated dispatches are left out.",
  reply: ShortSites,
});
