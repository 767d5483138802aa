import { type Dispatch, refuseTimes } from "../../dispatch/domain/dispatch.js";
import { DAY_MS, type Period } from "../../platform/period.js";
import { quote } from "../../platform/quote.js";
import { invalid, isRefusal, type Refusal, type Result } from "../../platform/refusal.js";
import { refuseTimezone } from "../../portfolio/domain/program.js";

export type SimpleScenarioType = "basic" | "ancillary_services" | "back_to_back" | "update" | "cancellation";
export type ScenarioType = SimpleScenarioType | "custom";

/** A site in a scenario: an existing one of the sandbox, or one to create for it (G39); "" means not given. */
export interface NamedSite {
  readonly id: string;
  readonly name: string;
  readonly customerLocationId: string;
  readonly commitmentKw: number | null;
}

export interface NamedProgram {
  readonly name: string;
  readonly timezone: string;
  readonly market: string;
  readonly programType: string;
}

/** The state of a dispatch from a moment on. */
export interface ScenarioState extends Period {
  readonly at: Date;
  readonly authorized: boolean;
  readonly test: boolean;
  readonly program: NamedProgram;
  readonly sites: readonly NamedSite[];
}

/** The states of one dispatch, in order. */
export type Course = readonly ScenarioState[];

export interface SimpleRequest extends Period {
  readonly type: SimpleScenarioType;
  readonly notification: Date | null;
  readonly cancel: Date | null;
  readonly minutesBetween: number;
  readonly test: boolean;
  readonly program: NamedProgram;
  readonly sites: readonly NamedSite[];
}

export interface CustomRequest {
  readonly type: "custom";
  readonly courses: ReadonlyArray<{ readonly label: string; readonly states: Course }>;
}

export type ScenarioRequest = (SimpleRequest | CustomRequest) & {
  readonly name: string | null;
  readonly speed: number;
};

/** An account's scenario; each of its dispatches in all its states, which apply from `changedAt` on. */
export interface Scenario {
  readonly id: string;
  readonly accountId: string;
  readonly type: ScenarioType;
  readonly name: string | null;
  readonly speed: number;
  readonly createdAt: Date;
  readonly replacedAt: Date | null;
  readonly dispatches: ReadonlyArray<readonly Dispatch[]>;
}

const MINUTE_MS = 60_000;
const EARLIEST_NOTIFICATION_MS = -MINUTE_MS; // G37
const LATEST_NOTIFICATION_MS = DAY_MS; // G37
const ANCILLARY_LENGTH_MS = 10 * MINUTE_MS; // G37
const LATEST_PUBLICATION_MS = 31 * DAY_MS;
/** A scenario is read whole at every poll, by a process that serves production too. */
const MAX_CALLS = 1000;

/** All states of the scenario's dispatches, at the moments they are played (G37, G38, G43). */
export const coursesOf = (request: ScenarioRequest, now: Date): Result<readonly Course[]> => {
  const courses = request.type === "custom" ? customCourses(request, now) : simpleCourses(request, now);
  if (isRefusal(courses)) return courses;
  const calls = courses.flat().reduce((sum, { sites }) => sum + sites.length, 0);
  if (calls > MAX_CALLS) {
    return invalid(`the states name sites ${calls} times; the maximum per scenario is ${MAX_CALLS}. Remove some.`);
  }
  const faster = courses.map((course) => course.map((state) => sooner(state, now, request.speed)));
  const isCrushed = faster.flat().some(({ start, end }) => end !== null && end <= start);
  return isCrushed
    ? invalid("a dispatch would last less than a millisecond at this speed; choose a lower one")
    : faster;
};

/** A time t becomes now + (t − now) / speed (G43). */
const sooner = (state: ScenarioState, now: Date, speed: number): ScenarioState => {
  const at = (time: Date): Date => new Date(now.getTime() + (time.getTime() - now.getTime()) / speed);
  return { ...state, at: at(state.at), start: at(state.start), end: state.end === null ? null : at(state.end) };
};

export const dispatchIdsOf = ({ dispatches }: Pick<Scenario, "dispatches">): string[] =>
  dispatches.flatMap((states) => states[0]?.id ?? []);

/** The dispatch in its current state; null before its first. */
export const stateAt = (states: readonly Dispatch[], now: Date): Dispatch | null =>
  states.findLast(({ changedAt }) => changedAt <= now) ?? null;

const simpleCourses = (request: SimpleRequest, now: Date): Result<readonly Course[]> => {
  const { type, start, end, program, sites, test } = request;
  const notification = request.notification ?? now;
  const refusal = refuseSimple(request, notification, now);
  if (refusal !== null) return refusal;
  const first: ScenarioState = { at: notification, authorized: true, test, start, end, program, sites };
  const ending = end ?? new Date(start.getTime() + ANCILLARY_LENGTH_MS);
  const lengthMs = ending.getTime() - start.getTime();
  switch (type) {
    case "basic":
      return [[first]];
    case "ancillary_services":
      return [
        [
          { ...first, end: null },
          { ...first, at: ending, end: ending },
        ],
      ];
    case "back_to_back":
      return [[first], [later(first, lengthMs + request.minutesBetween * MINUTE_MS)]];
    case "update":
      return [[first, { ...later(first, lengthMs / 4), at: between(notification, start) }]];
    case "cancellation":
      return cancelled(first, request.cancel ?? between(start, ending), ending);
  }
};

const cancelled = (first: ScenarioState, cancel: Date, end: Date): Result<readonly Course[]> =>
  cancel < first.at || cancel > end
    ? invalid("cancel_time must be between notification_time and end_time")
    : [[first, { ...first, at: cancel, authorized: false }]];

const between = (a: Date, b: Date): Date => new Date((a.getTime() + b.getTime()) / 2);

const later = <T extends Period>(period: T, ms: number): T => ({
  ...period,
  start: new Date(period.start.getTime() + ms),
  end: period.end === null ? null : new Date(period.end.getTime() + ms),
});

const mayBeOpen: readonly ScenarioType[] = ["basic", "ancillary_services", "custom"];

const refuseSimple = (request: SimpleRequest, notification: Date, now: Date): Refusal | null => {
  const aheadMs = notification.getTime() - now.getTime();
  if (aheadMs < EARLIEST_NOTIFICATION_MS)
    return invalid("notification_time must not be more than a minute in the past");
  if (aheadMs > LATEST_NOTIFICATION_MS) return invalid("notification_time must be within the next 24 hours");
  if (request.start < notification) return invalid("start_time must not be before notification_time");
  if (request.end === null && !mayBeOpen.includes(request.type)) {
    return invalid(`end_time is null; a scenario of type ${request.type} needs an end_time`);
  }
  return refuseTimes(request, now) ?? refuseTimezone(request.program.timezone);
};

declare module "../../platform/journal.js" {
  interface JournalKinds {
    scenario: "scenario.play" | "scenario.end";
  }
}

const customCourses = ({ courses }: CustomRequest, now: Date): Result<readonly Course[]> => {
  for (const { label, states } of courses) {
    for (const [index, state] of states.entries()) {
      const place = `dispatches.${quote(label)}.states[${index}]`;
      const refusal = refuseState(state, states[index - 1], now);
      if (refusal !== null) return invalid(`${place}: ${refusal.message}`);
    }
  }
  return courses.map(({ states }) => states);
};

const refuseState = (state: ScenarioState, before: ScenarioState | undefined, now: Date): Refusal | null => {
  if (before !== undefined && state.at <= before.at) {
    return invalid("published_time must be after that of the previous state");
  }
  if (state.at.getTime() > now.getTime() + LATEST_PUBLICATION_MS) {
    return invalid("published_time must be within the next 31 days");
  }
  return refuseTimes(state, now) ?? refuseTimezone(state.program.timezone);
};
