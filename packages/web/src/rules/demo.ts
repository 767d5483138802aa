import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";

export type Demo = operator.Demo;

/** While the demo changes by itself. */
const CLOSELY_MS = 2000;
/** Somebody else may start or remove it. */
const CALM_MS = 60_000;

/** How often to ask how far the demo is. */
export const askDemoEveryMs = (demo: Pick<Demo, "state"> | undefined): number =>
  demo?.state === "preparing" || demo?.state === "removing" ? CLOSELY_MS : CALM_MS;

/** Whether all accounts are the demo's, so that no other can be added; not before this is known. */
export const isDemoThere = (demo: Demo | undefined): boolean => demo !== undefined && demo.state !== "off";

/** What to say of a demo on every page; null if there is none. */
export const demoWords = ({ state }: Pick<Demo, "state">): string | null => words[state];

const words: Readonly<Record<Demo["state"], string | null>> = {
  off: null,
  preparing: say("Sites, readings and past dispatches of the simulated fleet are being created."),
  on: say("All accounts and readings are simulated."),
  removing: say("The simulated fleet and everything that belongs to it are being deleted."),
};

/** What to say when the demo went from one state to another; null if it was a step that somebody sees anyway. */
export const demoNews = (before: Demo["state"] | undefined, after: Demo["state"]): string | null => {
  if (before === "preparing" && after === "on") return say("The demo is ready.");
  return before === "removing" && after === "off" ? say("The demo was removed.") : null;
};
