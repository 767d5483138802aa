import type { operator } from "@curtail/contract";
import { countdown } from "../format/time.js";

export type SimulatedSite = operator.SimulatedSite;

/** Of a dispatch of the simulated site. */
export interface FirstDispatch {
  readonly id: string;
  readonly start_time: string;
  readonly end_time: string | null;
  readonly authorized: boolean;
}

/** How far a first test is. */
export type TestPhase = "off" | "preparing" | "ready" | "announced" | "running" | "ended" | "removing";

/** @param latest the newest dispatch of the simulated site; null without one */
export const phaseOf = (
  { state }: Pick<SimulatedSite, "state">,
  latest: FirstDispatch | null,
  now: Date,
): TestPhase => {
  if (state !== "on") return state;
  if (latest === null) return "ready";
  if (Date.parse(latest.start_time) > now.getTime()) return latest.authorized ? "announced" : "ready";
  const isOver = !latest.authorized || (latest.end_time !== null && Date.parse(latest.end_time) <= now.getTime());
  return isOver ? "ended" : "running";
};

/** `1:17`: the time left until a moment. */
export const timeLeft = (to: string, now: Date): string => countdown(to, now).replace(/^0:0?/, "");

/** A minute to be notified in, then five: long enough to see a result, short enough to wait for. */
const LEAD_MS = 60_000;
export const TEST_MINUTES = 5;

const at = (ms: number): string => new Date(ms).toISOString().replace(".000Z", "Z");

/** The test that a press starts: from the next half minute on, as readings are. */
export const testFrom = (now: Date): { readonly start_time: string; readonly end_time: string } => {
  const startMs = Math.ceil((now.getTime() + LEAD_MS) / 30_000) * 30_000;
  return { start_time: at(startMs), end_time: at(startMs + TEST_MINUTES * 60_000) };
};

const CLOSELY_MS = 1000;
const CALM_MS = 60_000;

/** How often to ask: closely while it changes by itself. */
export const askSimulatedEveryMs = (site: Pick<SimulatedSite, "state"> | undefined): number =>
  site?.state === "preparing" || site?.state === "removing" ? CLOSELY_MS : CALM_MS;

export type TestStep = "zone" | "site" | "notified" | "start" | "watch" | "result";
export const testSteps: readonly TestStep[] = ["zone", "site", "notified", "start", "watch", "result"];

/** The step to take or to watch now. */
export const stepAt = (phase: TestPhase): TestStep => {
  switch (phase) {
    case "off":
    case "removing":
      return "zone";
    case "preparing":
      return "site";
    case "ready":
      return "start";
    case "announced":
    case "running":
      return "watch";
    case "ended":
      return "result";
  }
};

export const isTestStepDone = (step: TestStep, phase: TestPhase): boolean =>
  testSteps.indexOf(step) < testSteps.indexOf(stepAt(phase));

const before = 5 * 60_000;
const after = 3 * 60_000;

/** The cells to show: some minutes before the start to some after the end. */
export const shownAround = <Cell extends { readonly timestamp: string }>(
  cells: readonly Cell[],
  { start_time, end_time }: Pick<FirstDispatch, "start_time" | "end_time">,
): readonly Cell[] => {
  const fromMs = Date.parse(start_time) - before;
  const untilMs = end_time === null ? Number.POSITIVE_INFINITY : Date.parse(end_time) + after;
  return cells.filter(({ timestamp }) => Date.parse(timestamp) > fromMs && Date.parse(timestamp) <= untilMs);
};
