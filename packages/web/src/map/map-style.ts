import type { FeatureCollection } from "geojson";
import type { ExpressionSpecification, LayerSpecification, StyleSpecification } from "maplibre-gl";
import type { MapColours } from "./map-colours.js";

/** Names of sources whose data comes later. */
export const SITES = "sites";
export const CHOSEN = "chosen";

/** Layers that a pointer acts on. */
export const CLUSTERS = "clusters";
export const POINTS = ["points", "short"] as const;

const nothing: FeatureCollection = { type: "FeatureCollection", features: [] };
const isShort: ExpressionSpecification = ["in", ["get", "kind"], ["literal", ["short", "unreached"]]];
const one = (condition: ExpressionSpecification): ExpressionSpecification => ["case", condition, 1, 0];

/** Points that are closer than so many pixels are one, up to the zoom of a town. */
const CLUSTER_PX = 44;
const CLUSTERED_TO_ZOOM = 11;

export const styleOf = (colours: MapColours, tilesUrl: string | null): StyleSpecification => ({
  version: 8,
  sources: {
    land: { type: "geojson", data: nothing },
    borders: { type: "geojson", data: nothing },
    states: { type: "geojson", data: nothing },
    ...(tilesUrl === null ? {} : { tiles: { type: "raster", tiles: [tilesUrl], tileSize: 256, maxzoom: 19 } as const }),
    [SITES]: {
      type: "geojson",
      data: nothing,
      cluster: true,
      clusterRadius: CLUSTER_PX,
      clusterMaxZoom: CLUSTERED_TO_ZOOM,
      clusterProperties: {
        short: ["+", one(isShort)],
        unreached: ["+", one(["==", ["get", "kind"], "unreached"])],
        kw: ["+", ["get", "kw"]],
      },
    },
    [CHOSEN]: { type: "geojson", data: nothing },
  },
  layers: [...ground(colours, tilesUrl !== null), ...clusters(colours), ...points(colours)],
});

const ground = (colours: MapColours, hasTiles: boolean): LayerSpecification[] => [
  { id: "water", type: "background", paint: { "background-color": colours.page } },
  { id: "land", type: "fill", source: "land", paint: { "fill-color": colours.sunken, "fill-antialias": false } },
  {
    id: "states",
    type: "line",
    source: "states",
    paint: { "line-color": colours["line-strong"], "line-width": 0.8, "line-opacity": 0.45 },
  },
  {
    id: "borders",
    type: "line",
    source: "borders",
    paint: { "line-color": colours["line-strong"], "line-width": 0.8 },
  },
  ...(hasTiles ? [{ id: "tiles", type: "raster", source: "tiles" } as const] : []),
];

/** Numbers are drawn with a font of the device. */
const font = ["sans-serif"];
const inGap = (colours: MapColours, bad: keyof MapColours, warn: keyof MapColours, none: keyof MapColours) =>
  [
    "case",
    [">", ["get", "unreached"], 0],
    colours[bad],
    [">", ["get", "short"], 0],
    colours[warn],
    colours[none],
  ] satisfies ExpressionSpecification;
const kwText: ExpressionSpecification = [
  "case",
  [">", ["get", "kw"], 0],
  ["concat", ["to-string", ["round", ["get", "kw"]]], " kW"],
  "",
];

const clusters = (colours: MapColours): LayerSpecification[] => [
  {
    id: CLUSTERS,
    type: "circle",
    source: SITES,
    filter: ["has", "point_count"],
    paint: {
      "circle-radius": ["step", ["get", "point_count"], 13, 10, 15, 100, 19, 1000, 23],
      "circle-color": inGap(colours, "gap-bad", "gap-warn", "surface"),
      "circle-stroke-color": inGap(colours, "bad", "warn", "line-strong"),
      "circle-stroke-width": 1.5,
    },
  },
  {
    id: "cluster-numbers",
    type: "symbol",
    source: SITES,
    filter: ["has", "point_count"],
    layout: {
      "text-field": ["to-string", ["get", "point_count"]],
      "text-font": font,
      "text-size": 12,
      "text-allow-overlap": true,
    },
    paint: { "text-color": colours.ink },
  },
  {
    id: "cluster-kw",
    type: "symbol",
    source: SITES,
    filter: ["all", ["has", "point_count"], [">", ["get", "short"], 0]],
    layout: { "text-field": kwText, "text-font": font, "text-size": 12, "text-offset": [0, 2] },
    paint: { "text-color": colours.ink, "text-halo-color": colours.sunken, "text-halo-width": 1.5 },
  },
];

const single: ExpressionSpecification = ["!", ["has", "point_count"]];

const points = (colours: MapColours): LayerSpecification[] => [
  {
    id: POINTS[0],
    type: "circle",
    source: SITES,
    filter: ["all", single, ["!", isShort]],
    paint: {
      "circle-radius": ["match", ["get", "kind"], "dispatched", 6, "other", 3.5, 5],
      "circle-color": ["match", ["get", "kind"], "dispatched", colours.ink, "other", colours.surface, colours.muted],
      "circle-stroke-color": ["match", ["get", "kind"], "other", colours["line-strong"], colours.surface],
      "circle-stroke-width": 1.5,
    },
  },
  {
    id: POINTS[1],
    type: "symbol",
    source: SITES,
    filter: ["all", single, isShort],
    layout: {
      "icon-image": ["get", "kind"],
      // The area grows with the kW, from 14 px at a few to 36 px at 1,000.
      "icon-size": ["interpolate", ["linear"], ["sqrt", ["get", "kw"]], 1, 0.4, 32, 1],
      "icon-allow-overlap": true,
      "symbol-sort-key": ["-", 0, ["get", "kw"]],
      "text-field": kwText,
      "text-font": font,
      "text-size": 12,
      "text-variable-anchor": ["top", "bottom", "left", "right"],
      "text-radial-offset": 1.4,
      "text-optional": true,
    },
    paint: { "text-color": colours.ink, "text-halo-color": colours.sunken, "text-halo-width": 1.5 },
  },
  {
    id: CHOSEN,
    type: "circle",
    source: CHOSEN,
    paint: {
      "circle-radius": 14,
      "circle-color": "rgba(0,0,0,0)",
      "circle-stroke-color": colours.accent,
      "circle-stroke-width": 2.5,
    },
  },
];
