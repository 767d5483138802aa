import type { Meter } from "./site-columns.js";

export type AssetType = Meter["asset_type"];

/** What a meter measures, in words. */
export const assetWords: Readonly<Record<AssetType, string>> = {
  load: "Load",
  generator: "Generator",
  battery: "Battery",
  poi: "Point of interconnection",
};

export const assetChoices = Object.entries(assetWords).map(([value, label]) => ({ value, label }));
