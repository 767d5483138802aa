import "./map.css";
import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { power } from "../format/quantity.js";
import { useAtMostEvery } from "../live/use-at-most.js";
import { boundsOf, lackOf, type SitePoint } from "../rules/site-map.js";
import { Button } from "../ui/button.js";
import { Fault } from "../ui/state.js";
import { useKeys } from "../ui/use-keys.js";
import type { DrawnMap, Pointed } from "./draw-map.js";
import { useDrawnMap } from "./use-drawn-map.js";

interface Shown {
  readonly points: readonly SitePoint[];
  /** Those that the map moves to. */
  readonly framed: readonly SitePoint[];
  /** Id of the site that is open. */
  readonly chosen: string | null;
  readonly tiles: operator.MapTiles | null;
  /** The map moves to the points whenever it changes. */
  readonly about: string;
  readonly onOpen: (siteId: string) => void;
}

/** With 1,000 sites the figures change every second. */
const DRAWN_EVERY_MS = 2000;

/** Sites on a map. All that it shows is in the list beside it, too. */
export const SiteMapView = ({ points, framed, chosen, tiles, about, onOpen }: Shown) => {
  const place = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const { map, state, fault, retry } = useDrawnMap(place, {
    label: say("Map of sites"),
    tiles,
    onOpen,
    onPoint: setPointed,
  });
  useShownPoints(map, { points, framed, chosen, about });
  const fitAll = () => {
    const bounds = boundsOf(framed.map(({ site }) => site));
    if (bounds !== null) map?.fit(bounds);
  };
  useKeys("Map", [{ keys: "f", label: say("show all sites"), run: fitAll }]);
  if (state === "unsupported") return <Unsupported />;
  return (
    <div className="relative h-[45dvh] min-h-72 md:h-[62dvh]">
      <div ref={place} className="absolute inset-0 rounded-xl bg-sunken" data-map={state} />
      {state === "loading" && fault === null && (
        <p role="status" className="sr-only">
          {say("Loading the map")}
        </p>
      )}
      {fault !== null && (
        <div className="absolute inset-x-2 top-2">
          <Fault error={fault} onRetry={retry} />
        </div>
      )}
      <div className="absolute top-2 right-2 grid gap-1">
        <Zoom label={say("Zoom in")} mark="+" onClick={() => map?.zoomBy(1)} />
        <Zoom label={say("Zoom out")} mark="−" onClick={() => map?.zoomBy(-1)} />
        <Zoom label={say("Show all sites")} mark="⤢" onClick={fitAll} />
      </div>
      <Hint of={pointed} points={points} />
    </div>
  );
};

const useShownPoints = (
  map: DrawnMap | null,
  { points, framed, chosen, about }: Pick<Shown, "points" | "framed" | "chosen" | "about">,
): void => {
  const drawn = useRef<{ map: DrawnMap | null; about: string | null }>({ map: null, about: null });
  const draw = () => map?.show(points);
  useEffect(() => {
    if (map === null || (drawn.current.map === map && drawn.current.about === about)) return;
    const isNew = drawn.current.map !== map;
    map.show(points);
    const bounds = boundsOf(framed.map(({ site }) => site));
    // The sites of a dispatch are known once it is measured.
    if (bounds === null) return;
    drawn.current = { map, about };
    map.fit(bounds, isNew);
  }, [map, about, points, framed]);
  useAtMostEvery(DRAWN_EVERY_MS, points, () => draw());
  const point = useMemo(() => points.find(({ site }) => site.id === chosen) ?? null, [points, chosen]);
  useEffect(() => map?.choose(point), [map, point]);
};

const Zoom = ({
  label,
  mark,
  onClick,
}: {
  readonly label: string;
  readonly mark: string;
  readonly onClick: () => void;
}) => (
  <Button onClick={onClick} aria-label={label} title={label}>
    <span aria-hidden="true" className="w-4">
      {mark}
    </span>
  </Button>
);

/** The name of the site under the pointer. */
const Hint = ({ of, points }: { readonly of: Pointed | null; readonly points: readonly SitePoint[] }) => {
  const point = useMemo(() => points.find(({ site }) => site.id === of?.id), [points, of?.id]);
  if (of === null || point === undefined) return null;
  const kw = lackOf(point);
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute max-w-64 rounded-lg bg-surface px-2 py-1 text-sm break-words shadow-lg ring-1 ring-line"
      style={{ left: of.x, top: of.y, transform: `translate(${of.x < 160 ? "8px" : "calc(-100% - 8px)"}, -50%)` }}
    >
      {point.site.name}
      {kw > 0 && <b className="block font-semibold">{say("{kw} short", { kw: power(kw) })}</b>}
    </div>
  );
};

const Unsupported = (): ReactNode => (
  <div role="status" className="rounded-xl bg-sunken px-4 py-8 text-center text-muted">
    {say(
      "This browser cannot draw the map: it has no WebGL 2. Turn on hardware acceleration in its settings, or use another browser. The list has the same sites.",
    )}
  </div>
);
