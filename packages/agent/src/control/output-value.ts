import type { OutputConfig } from "../config/config.js";
import type { SiteState } from "./site-control.js";

/** A value to write; null releases the point, undefined leaves it alone. */
export type OutputValue = number | null | undefined;

/** What an output shall be in a state of its site, before ramps and `scale`. */
export const valueOf = (output: OutputConfig, state: SiteState): OutputValue => {
  switch (state.phase) {
    case "waiting":
      return undefined;
    case "normal":
      return output.normal === null ? null : within(output.normal, output.bounds);
    case "failsafe":
      return output.failsafe === null ? undefined : within(output.failsafe, output.bounds);
    case "curtailing":
      return within(curtailedValue(output, state), output.bounds);
  }
};

const curtailedValue = ({ curtail, full }: OutputConfig, { demand, referenceKw }: SiteState): number => {
  if (typeof curtail === "number") return curtail;
  const commitmentKw = demand?.commitmentKw ?? null;
  if (commitmentKw === null) return full;
  if (curtail === "commitment") return commitmentKw;
  return referenceKw === null ? full : referenceKw - commitmentKw;
};

const within = (value: number, [min, max]: readonly [number, number]): number => Math.min(Math.max(value, min), max);

/** What a ramp has reached. */
export interface RampState {
  readonly value: OutputValue;
  /** Time since the last step of the ramp. */
  readonly waitedMs: number;
}

/**
 * Moves a value towards its target, at most `perMinute` in a minute and one step in `everyMs`. Without a known value
 * to start from, and when a point is released, it jumps.
 */
export const rampTowards = (
  state: RampState,
  target: OutputValue,
  ramp: OutputConfig["ramp"],
  elapsedMs: number,
): RampState => {
  const { value } = state;
  if (ramp === null || typeof value !== "number" || typeof target !== "number") return { value: target, waitedMs: 0 };
  const waitedMs = state.waitedMs + elapsedMs;
  if (value === target) return { value, waitedMs: Math.min(waitedMs, ramp.everyMs) };
  if (waitedMs < ramp.everyMs) return { value, waitedMs };
  // After a pause of the process it continues with one step, not with all that it missed.
  const largest = (ramp.perMinute * Math.min(waitedMs, ramp.everyMs * 2)) / 60_000;
  const change = Math.min(Math.max(target - value, -largest), largest);
  return { value: value + change, waitedMs: 0 };
};
