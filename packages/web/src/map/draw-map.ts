import { say } from "@curtail/words/page";
import type { Feature, FeatureCollection, Point } from "geojson";
import { type GeoJSONSource, Map as MapLibre, type MapMouseEvent, setWorkerUrl } from "maplibre-gl";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?url";
import { type Bounds, boundsOf, lackOf, type SitePoint } from "../rules/site-map.js";
import type { MapColours } from "./map-colours.js";
import { CHOSEN, CLUSTERS, POINTS, SITES, styleOf } from "./map-style.js";
import { loadOutline, type Outline } from "./outline.js";
import { SIGN_RATIO, signsOf } from "./short-signs.js";

// From our own host, as the policy of the pages asks.
setWorkerUrl(workerUrl);

/** A point under the pointer, with its place in the map. */
export interface Pointed {
  readonly id: string;
  readonly x: number;
  readonly y: number;
}

interface Options {
  readonly label: string;
  /** Of the background; null: the outline alone. */
  readonly tilesUrl: string | null;
  readonly colours: MapColours;
  readonly onOpen: (siteId: string) => void;
  /** null: none is under the pointer any more. */
  readonly onPoint: (pointed: Pointed | null) => void;
  readonly onFault: (fault: Error) => void;
}

/** A map that is drawn. */
export interface DrawnMap {
  readonly show: (points: readonly SitePoint[]) => void;
  readonly choose: (point: SitePoint | null) => void;
  readonly colour: (colours: MapColours) => void;
  readonly fit: (bounds: Bounds, isAtOnce?: boolean) => void;
  readonly zoomBy: (steps: number) => void;
  readonly loadGround: () => Promise<void>;
  readonly close: () => void;
}

const NEAREST_ZOOM = 16;
/** One site, or some of one town, are shown with what is around them. */
const FITTED_ZOOM = 9;
const PADDING_PX = 48;

/** Draws a map into an element. Throws if the browser has no WebGL. */
export const drawMap = (container: HTMLElement, { label, tilesUrl, colours: first, ...on }: Options): DrawnMap => {
  let colours = first;
  let outline: Outline | null = null;
  let shown: readonly SitePoint[] = [];
  let chosen: SitePoint | null = null;
  const map = new MapLibre({
    container,
    style: styleOf(colours, tilesUrl),
    center: [0, 25],
    zoom: 1,
    maxZoom: NEAREST_ZOOM,
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    // Each fade draws the map again and again.
    fadeDuration: 0,
    locale: { "Map.Title": label },
  });
  map.touchZoomRotate.disableRotation();
  const data = (source: string, of: Parameters<GeoJSONSource["setData"]>[0]): void =>
    void map.getSource<GeoJSONSource>(source)?.setData(of);
  const fill = (): void => {
    for (const [name, image] of signsOf(colours))
      if (!map.hasImage(name)) map.addImage(name, image, { pixelRatio: SIGN_RATIO });
    if (outline !== null) {
      data("land", outline.land);
      data("borders", outline.borders);
      data("states", outline.states);
    }
    data(SITES, collection(shown));
    data(CHOSEN, collection(chosen === null ? [] : [chosen]));
  };
  const ready = new Promise<void>((resolve) => void map.once("style.load", () => resolve()));
  map.on("style.load", fill);
  map.on("error", ({ error }) => on.onFault(new Error(tilesUrl === null ? error.message : withoutTiles(tilesUrl))));
  followPointer(map, on);
  const once = (run: () => void): void => void ready.then(run);
  return {
    show: (points) => {
      shown = points;
      once(() => data(SITES, collection(shown)));
    },
    choose: (point) => {
      chosen = point;
      once(() => data(CHOSEN, collection(chosen === null ? [] : [chosen])));
    },
    colour: (next) => {
      colours = next;
      // What was filled in comes again with the new style.
      once(() => map.setStyle(styleOf(colours, tilesUrl), { diff: false }));
    },
    fit: (bounds, isAtOnce = false) =>
      void map.fitBounds([...bounds], { padding: PADDING_PX, maxZoom: FITTED_ZOOM, animate: !isAtOnce }),
    zoomBy: (steps) => void map.zoomTo(map.getZoom() + steps),
    loadGround: async () => {
      outline = await loadOutline();
      once(fill);
    },
    close: () => map.remove(),
  };
};

const withoutTiles = (url: string): string =>
  say("The background of the map could not be loaded from {host}. The sites are shown without it.", {
    host: new URL(url).host,
  });

const collection = (points: readonly SitePoint[]): FeatureCollection<Point> => ({
  type: "FeatureCollection",
  features: points.map(featureOf),
});

const featureOf = (point: SitePoint): Feature<Point> => ({
  type: "Feature",
  properties: { id: point.site.id, kind: point.kind, kw: lackOf(point) },
  geometry: { type: "Point", coordinates: [point.site.longitude, point.site.latitude] },
});

/** A press on a site opens it, on several closes in on them. */
const followPointer = (map: MapLibre, { onOpen, onPoint }: Pick<Options, "onOpen" | "onPoint">): void => {
  const under = ({ point }: MapMouseEvent) =>
    map.queryRenderedFeatures(point, { layers: [...POINTS, CLUSTERS].filter((layer) => map.getLayer(layer)) })[0];
  map.on("click", (event) => {
    const found = under(event);
    const id: unknown = found?.properties["id"];
    if (typeof id === "string") onOpen(id);
    else if (found !== undefined) void closeIn(map, Number(found.properties["cluster_id"]));
  });
  map.on("mousemove", (event) => {
    const found = under(event);
    map.getCanvas().style.cursor = found === undefined ? "" : "pointer";
    const id: unknown = found?.properties["id"];
    onPoint(typeof id === "string" ? { id, x: event.point.x, y: event.point.y } : null);
  });
  map.on("mouseout", () => onPoint(null));
  map.on("movestart", () => onPoint(null));
};

/** Most points of a cluster that are read to close in on them. */
const MOST_LEAVES = 5000;

const closeIn = async (map: MapLibre, cluster: number): Promise<void> => {
  const leaves = await map.getSource<GeoJSONSource>(SITES)?.getClusterLeaves(cluster, MOST_LEAVES, 0);
  const places = (leaves ?? []).flatMap(({ geometry }) => (geometry.type === "Point" ? [geometry.coordinates] : []));
  const bounds = boundsOf(places.map(([longitude = 0, latitude = 0]) => ({ longitude, latitude })));
  if (bounds !== null) map.fitBounds([...bounds], { padding: PADDING_PX, maxZoom: NEAREST_ZOOM });
};
