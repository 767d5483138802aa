import type { operator } from "@curtail/contract";
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { useTheme } from "../chart/colours.js";
import { loaded } from "../ui/load-code.js";
import type { DrawnMap, Pointed } from "./draw-map.js";
import { coloursIn } from "./map-colours.js";

/** `unsupported`: the browser draws no maps. */
export type MapState = "loading" | "ready" | "unsupported";

export interface UsedMap {
  readonly map: DrawnMap | null;
  readonly state: MapState;
  /** What failed of it; the rest is drawn. */
  readonly fault: Error | null;
  readonly retry: () => void;
}

interface Options {
  readonly label: string;
  readonly tiles: operator.MapTiles | null;
  readonly onOpen: (siteId: string) => void;
  readonly onPoint: (pointed: Pointed | null) => void;
}

/** A map in an element, whose code is loaded for it alone. */
export const useDrawnMap = (place: RefObject<HTMLElement | null>, { label, tiles, ...on }: Options): UsedMap => {
  const [map, setMap] = useState<DrawnMap | null>(null);
  const [state, setState] = useState<MapState>("loading");
  const [fault, setFault] = useState<Error | null>(null);
  const open = useEffectEvent(on.onOpen);
  const point = useEffectEvent(on.onPoint);
  const theme = useTheme();
  const drawnTheme = useRef(theme);
  const tilesUrl = tiles?.url ?? null;
  useEffect(() => {
    let isOver = false;
    let drawn: DrawnMap | null = null;
    const draw = async () => {
      if (!drawsMaps()) return setState("unsupported");
      const { drawMap } = await loaded(() => import("./draw-map.js"));
      if (isOver || place.current === null) return;
      try {
        drawn = drawMap(place.current, {
          label,
          tilesUrl,
          colours: coloursIn(place.current),
          onOpen: (id) => open(id),
          onPoint: (pointed) => point(pointed),
          onFault: setFault,
        });
      } catch {
        // A browser may have WebGL 2 and lack what it draws with, as without a graphics processor.
        return setState("unsupported");
      }
      setMap(drawn);
      await drawn.loadGround();
      setState("ready");
    };
    draw().catch((error: unknown) => setFault(error instanceof Error ? error : new Error(String(error))));
    return () => {
      isOver = true;
      drawn?.close();
      setMap(null);
    };
  }, [place, label, tilesUrl]);
  useEffect(() => {
    if (map === null || place.current === null || drawnTheme.current === theme) return;
    drawnTheme.current = theme;
    map.colour(coloursIn(place.current));
  }, [map, place, theme]);
  const retry = () => {
    setFault(null);
    map?.loadGround().then(() => setState("ready"), setFault);
  };
  return { map, state, fault, retry };
};

const drawsMaps = (): boolean => document.createElement("canvas").getContext("webgl2") !== null;
