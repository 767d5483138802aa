import type { ControlConfig } from "../config/config.js";
import { type Demand, demandAt } from "./demand.js";
import type { DispatchWindow } from "./dispatch-window.js";
import { isOverriding, type Override } from "./override.js";

/** `waiting`: the service was never heard, so nothing is known and nothing is written. */
export type Phase = "waiting" | "normal" | "curtailing" | "failsafe";

/** Why a site is in its phase. */
export type Cause =
  | "no contact yet"
  | "no dispatch"
  | "dispatch"
  | "override"
  | "contact lost"
  | "minimum on time"
  | "minimum off time"
  | "maximum on time";

/** What control remembers of a site, over restarts too. */
export interface SiteState {
  readonly phase: Phase;
  readonly cause: Cause;
  /** Time since it began or ended to curtail, by a clock that does not jump. */
  readonly phaseMs: number;
  /** What it curtails for; stays until the phase ends. */
  readonly demand: Demand | null;
  /** Load before the curtailment in kW; null: not known, or not curtailing. */
  readonly referenceKw: number | null;
  /** After a curtailment: the minimum off time counts. */
  readonly hasCurtailed: boolean;
  /** The maximum on time has passed; rests until the demand ends. */
  readonly isSpent: boolean;
}

export const INITIAL_STATE: SiteState = {
  phase: "waiting",
  cause: "no contact yet",
  phaseMs: 0,
  demand: null,
  referenceKw: null,
  hasCurtailed: false,
  isSpent: false,
};

/** What control knows at a moment. */
export interface SiteInputs {
  readonly nowMs: number;
  /** Time since the last step, by a clock that does not jump. */
  readonly elapsedMs: number;
  /** null: the service was never heard. */
  readonly windows: readonly DispatchWindow[] | null;
  /** How long the service was tried in vain. */
  readonly silentMs: number;
  /** This process has neither had an answer nor tried in vain. */
  readonly isStarting: boolean;
  readonly override: Override | null;
  /** Mean load over the reference time; null: not known. */
  readonly loadKw: number | null;
}

/** The next state of a site. */
export const stepSite = (before: SiteState, inputs: SiteInputs, rules: ControlConfig): SiteState => {
  const state = { ...before, phaseMs: before.phaseMs + inputs.elapsedMs };
  const demand = inputs.windows === null ? null : demandAt(inputs.windows, inputs.nowMs, rules);
  const wanted = holdBack(state, wantedPhase(state, inputs, demand, rules), rules);
  return enter(state, wanted, demand, inputs);
};

interface Wanted {
  readonly phase: Phase;
  readonly cause: Cause;
}

const wantedPhase = (
  { phase }: SiteState,
  inputs: SiteInputs,
  demand: Demand | null,
  { contact }: ControlConfig,
): Wanted => {
  const { override, nowMs, silentMs, isStarting, windows } = inputs;
  if (isOverriding(override, nowMs))
    return { phase: override.mode === "normal" ? "normal" : "curtailing", cause: "override" };
  if (contact.action !== "keep" && silentMs >= contact.lostAfterMs + contact.afterMs)
    return { phase: contact.action === "release" ? "normal" : "failsafe", cause: "contact lost" };
  // While no process ran, the dispatch may have been prolonged.
  if (isStarting && phase === "curtailing" && demand === null) return { phase, cause: "no contact yet" };
  if (windows === null) return { phase: "waiting", cause: "no contact yet" };
  return demand === null ? { phase: "normal", cause: "no dispatch" } : { phase: "curtailing", cause: "dispatch" };
};

/** Protects equipment: only a person overrules the minimum and maximum times. */
const holdBack = (state: SiteState, wanted: Wanted, rules: ControlConfig): Wanted => {
  if (wanted.cause === "override") return wanted;
  const allowed = rested(state, wanted, rules);
  const { phase, phaseMs } = state;
  const [isOn, turnsOn] = [phase === "curtailing", allowed.phase === "curtailing"];
  if (isOn && !turnsOn && phaseMs < rules.minimumOnMs) return { phase, cause: "minimum on time" };
  if (!isOn && turnsOn && state.hasCurtailed && phaseMs < rules.minimumOffMs)
    return { phase, cause: "minimum off time" };
  return allowed;
};

/** A person who curtails during the rest may begin a curtailment that the minimum on time holds. */
const rested = (state: SiteState, wanted: Wanted, rules: ControlConfig): Wanted =>
  wanted.phase === "curtailing" && isExhausted(state, rules) ? { phase: "normal", cause: "maximum on time" } : wanted;

const isExhausted = ({ phase, phaseMs, isSpent }: SiteState, { maximumOnMs }: ControlConfig): boolean =>
  isSpent || (maximumOnMs !== null && phase === "curtailing" && phaseMs >= maximumOnMs);

const enter = (state: SiteState, wanted: Wanted, demand: Demand | null, inputs: SiteInputs): SiteState => {
  const isCurtailing = wanted.phase === "curtailing";
  const isNew = isCurtailing !== (state.phase === "curtailing");
  return {
    ...wanted,
    phaseMs: isNew ? 0 : state.phaseMs,
    demand: isCurtailing ? demandOf(state, wanted, demand) : null,
    referenceKw: isCurtailing ? (isNew ? inputs.loadKw : state.referenceKw) : null,
    hasCurtailed: state.hasCurtailed || isCurtailing,
    isSpent: (demand !== null || inputs.isStarting) && (state.isSpent || wanted.cause === "maximum on time"),
  };
};

/** A person curtails as much as possible; where a curtailment is held, the demand that ended goes on. */
const demandOf = (state: SiteState, { cause }: Wanted, demand: Demand | null): Demand | null => {
  if (cause === "override") return { dispatchIds: demand?.dispatchIds ?? [], commitmentKw: null, endMs: null };
  return cause === "dispatch" ? demand : state.demand;
};
