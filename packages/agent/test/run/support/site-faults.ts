import type { SiteConfig } from "../../../src/config/config.js";
import type { Phase } from "../../../src/control/site-control.js";
import { type Expected, PlainSite, running } from "./plain-site.js";
import type { Seen } from "./site-world.js";

type Step = Extract<Seen, { kind: "step" }>;

/** Output of a relay: one level for each phase. */
export const RELAY: Readonly<Record<Exclude<Phase, "waiting">, number>> = { normal: 0, curtailing: 1, failsafe: 2 };
export const LIMIT = { full: 500, failsafe: 60 } as const;
export const RAMPED = { normal: 100, curtailing: 0, failsafe: 50, perMinute: 300, everyMs: 2_000 } as const;

/** What a check says of a site whose happenings it sees one by one; null: nothing. */
export type Check = (site: SiteConfig) => (seen: Seen) => string | null;

/** The first fault of what was seen, in words; null: there is none. */
export const firstFault = (site: SiteConfig, seen: readonly Seen[], checks: readonly Check[]): string | null => {
  const watchers = checks.map((check) => check(site));
  for (const each of seen)
    for (const watch of watchers) {
      const fault = watch(each);
      if (fault !== null) return `after ${each.ms / 1000} s: ${fault}`;
    }
  return null;
};

/** Time that processes ran since the service last answered, tried or not. */
const unansweredTime = () => {
  let ranMs = 0;
  let atMs = 0;
  return ({ kind, ms }: Seen): number => {
    if (kind !== "started") ranMs += ms - atMs;
    if (kind === "heard") ranMs = 0;
    atMs = ms;
    return ranMs;
  };
};

const lossOf = ({ control: { contact } }: SiteConfig): number =>
  contact.action === "keep" ? Number.POSITIVE_INFINITY : contact.lostAfterMs + contact.afterMs;

const isOn = ({ held }: Step): boolean => held["relay"] === RELAY.curtailing;

/** With contact, only a person and the maximum on time end the curtailment of a dispatch that runs. */
export const staysWithDispatch: Check = (site) => {
  const unanswered = unansweredTime();
  let wasOn = false;
  let isNew = true;
  let known: Step["windows"] = [];
  return (seen) => {
    const unansweredMs = unanswered(seen);
    if (seen.kind === "started") isNew = true;
    if (seen.kind === "failed") isNew = false;
    if (seen.kind === "heard") [isNew, known] = [false, seen.windows];
    if (seen.kind !== "step") return null;
    const runs = (windows: Step["windows"]) => running(windows, seen.clockMs, site.control).length > 0;
    const isLeft = wasOn && !isOn(seen);
    wasOn = isOn(seen);
    // What a running process has not heard yet it cannot know; one that has just started can wait for it.
    const isBound = runs(seen.windows) && (runs(known) || (isNew && unansweredMs < 5_000));
    if (!isLeft || !isBound || unansweredMs >= lossOf(site)) return null;
    const { cause } = seen.state;
    return cause === "override" || cause === "maximum on time" ? null : `left the dispatch: ${cause}`;
  };
};

export const isNotLostEarly: Check = (site) => {
  const unanswered = unansweredTime();
  return (seen) => {
    const unansweredMs = unanswered(seen);
    if (seen.kind !== "step" || seen.state.cause !== "contact lost" || unansweredMs >= lossOf(site)) return null;
    return `contact lost after ${unansweredMs} ms`;
  };
};

/** Time of the equipment: that of running processes, and the machine's clock between them. */
const equipmentTime = () => {
  let time = { ms: 0, atMs: 0 };
  let stored = { ms: 0, clockMs: 0 };
  return ({ kind, ms, clockMs }: Seen): number => {
    time =
      kind === "started" && stored.clockMs > 0
        ? { ms: stored.ms + Math.max(0, clockMs - stored.clockMs), atMs: ms }
        : { ms: time.ms + ms - time.atMs, atMs: ms };
    if (kind === "stored") stored = { ms: time.ms, clockMs };
    return time.ms;
  };
};

export const keepsMinimumTimes: Check = ({ control }) => {
  const equipment = equipmentTime();
  let wasOn = false;
  let changedAtMs = Number.NEGATIVE_INFINITY;
  return (seen) => {
    const ms = equipment(seen);
    if (seen.kind !== "step" || isOn(seen) === wasOn) return null;
    const lastedMs = ms - changedAtMs;
    const leastMs = wasOn ? control.minimumOnMs : control.minimumOffMs;
    [wasOn, changedAtMs] = [!wasOn, ms];
    return lastedMs >= leastMs || seen.state.cause === "override" ? null : `changed after ${lastedMs} ms`;
  };
};

/** No change is larger or sooner than the ramp allows, none leads away, and the end is reached in time. */
export const followsRamp: Check = () => {
  const equipment = equipmentTime();
  const perMs = RAMPED.perMinute / 60_000;
  let value: number | null = null;
  let changedAtMs = Number.NEGATIVE_INFINITY;
  let climb = { target: -1, from: 0, ranMs: 0 };
  let atMs = 0;
  return (seen) => {
    const ms = equipment(seen);
    const held: unknown = seen.kind === "step" ? seen.held["ramped"] : undefined;
    // After a pause it goes on with one step.
    const ranMs = Math.min(seen.ms - atMs, RAMPED.everyMs);
    atMs = seen.ms;
    climb = seen.kind === "started" ? { target: -1, from: 0, ranMs: 0 } : { ...climb, ranMs: climb.ranMs + ranMs };
    if (seen.kind !== "step" || typeof held !== "number" || seen.state.phase === "waiting") return null;
    const target = RAMPED[seen.state.phase];
    const before = value ?? held;
    if (climb.target !== target) climb = { target, from: before, ranMs: 0 };
    value = held;
    const change = Math.abs(held - before);
    const sinceMs = ms - changedAtMs;
    if (change > 0) changedAtMs = ms;
    if (change > perMs * 2 * RAMPED.everyMs + 1e-9) return `a step of ${change}`;
    if (change > 0 && sinceMs < RAMPED.everyMs) return `a step after ${sinceMs} ms`;
    if (Math.abs(target - held) > Math.abs(target - before))
      return `a step from ${before} to ${held}, away from ${target}`;
    const dueMs = Math.abs(target - climb.from) / perMs + 2 * RAMPED.everyMs;
    return held !== target && climb.ranMs > dueMs ? `${target} not reached in ${dueMs} ms` : null;
  };
};

/** What has been decided is stored with the step that decides it; so are silence, answers, and jumps of the clock. */
export const storesInTime: Check = ({ control }) => {
  const plain = new PlainSite(control);
  let aheadMs = 0;
  let storedAheadMs = 0;
  return (seen) => {
    // A kill comes after a step.
    const fault = seen.kind === "step" || seen.kind === "stored" ? null : plain.forgotten;
    const isOff = seen.kind === "started" && Math.abs(aheadMs - storedAheadMs) > 2_000;
    plain.see(seen);
    if (seen.kind === "step") aheadMs = seen.clockMs - seen.ms;
    if (seen.kind === "stored") storedAheadMs = seen.clockMs - seen.ms;
    if (seen.kind !== "started") return null;
    return fault ?? (isOff ? "a jump of the clock was not stored" : null);
  };
};

/** Phase, cause and values are those of the plain description. */
export const asPlain: Check = (site) => {
  const plain = new PlainSite(site.control);
  let held: { relay?: number | undefined; limit?: number | null | undefined } = {};
  return (seen) => {
    const expected = plain.see(seen);
    if (expected === undefined || seen.kind !== "step") return null;
    held = valuesOf(expected) ?? held;
    const { phase, cause } = seen.state;
    const wanted = JSON.stringify([expected.phase, expected.cause, held.relay, held.limit]);
    const found = JSON.stringify([phase, cause, seen.held["relay"], seen.held["limit"]]);
    return wanted === found ? null : `${found} instead of ${wanted}`;
  };
};

const valuesOf = ({ phase, kw }: Expected) => {
  if (phase === "waiting") return null;
  const limits = { normal: null, failsafe: LIMIT.failsafe, curtailing: kw ?? LIMIT.full };
  return { relay: RELAY[phase], limit: limits[phase] };
};
