import { say } from "@curtail/words/page";
import type { Meter } from "./site-columns.js";

export type AssetType = Meter["asset_type"];

/** What a meter measures, in words. */
export const assetWords: Readonly<Record<AssetType, string>> = {
  load: say("Load"),
  generator: say("Generator"),
  battery: say("Battery"),
  poi: say("Point of interconnection"),
};

export const assetChoices = Object.entries(assetWords).map(([value, label]) => ({ value, label }));

type KwhMeans = Meter["kwh_means"];

/** What kWh of a battery mean, in words. */
export const kwhWords: Readonly<Record<KwhMeans, string>> = {
  charge: say("kWh: state of charge"),
  energy: say("kWh: energy"),
  undecided: say("kWh: not decided, counts as energy"),
};

/** An empty value leaves the decision open. */
export type KwhChoice = "" | Exclude<KwhMeans, "undecided">;

const decided = [
  { value: "charge", label: say("State of charge") },
  { value: "energy", label: say("Energy of the interval") },
];
const open = { value: "", label: say("Not decided") };

export const kwhChoices = (initial: KwhChoice) => (initial === "" ? [open, ...decided] : decided);
