import { resolved } from "../chart/colours.js";

const used = [
  "page",
  "surface",
  "sunken",
  "line",
  "line-strong",
  "ink",
  "muted",
  "accent",
  "bad",
  "warn",
  "gap-bad",
  "gap-warn",
] as const;

/** Colours of the theme, as values for the canvas. */
export type MapColours = Readonly<Record<(typeof used)[number], string>>;

/** As they are now within an element. */
export const coloursIn = (element: Element): MapColours =>
  Object.fromEntries(used.map((name) => [name, resolved(name, element)])) as MapColours;
