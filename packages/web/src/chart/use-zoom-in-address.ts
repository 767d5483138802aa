import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import type { KeptZoom } from "./curve.js";
import { zoomOf, zoomText } from "./zoom.js";

/**
 * Keeps the zoom of a page's charts in its address: it survives a reload, a link shows what its sender saw, and the
 * browser's way back leads out of it.
 */
export const useZoomInAddress = (): KeptZoom => {
  const { zoom } = useSearch({ strict: false });
  const navigate = useNavigate();
  return useMemo(
    () => ({
      range: zoomOf(zoom),
      change: (range) =>
        void navigate({
          to: ".",
          search: ({ zoom: _before, ...rest }) => (range === null ? rest : { ...rest, zoom: zoomText(range) }),
          // Only the first step into the chart is one to go back over.
          replace: zoom !== undefined,
          resetScroll: false,
        }),
    }),
    [zoom, navigate],
  );
};
