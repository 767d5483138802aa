import fc from "fast-check";
import { expect, test } from "vitest";
import type { ControlConfig } from "../../src/config/config.js";
import type { DispatchWindow } from "../../src/control/dispatch-window.js";
import type { Override } from "../../src/control/override.js";
import { INITIAL_STATE, type SiteInputs, type SiteState, stepSite } from "../../src/control/site-control.js";

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 6, 1, 12);

const rules = (changes: Partial<ControlConfig> = {}): ControlConfig => ({
  leadMs: 0,
  overlap: "sum",
  minimumOnMs: 0,
  minimumOffMs: 0,
  maximumOnMs: null,
  referenceMs: 600_000,
  contact: { lostAfterMs: 3 * MINUTE, action: "keep", afterMs: 0 },
  ...changes,
});

const dispatch = (fromMinute: number, toMinute: number | null, commitmentKw: number | null = 100): DispatchWindow => ({
  dispatchId: `dis_${fromMinute}`,
  startMs: NOON + fromMinute * MINUTE,
  endMs: toMinute === null ? null : NOON + toMinute * MINUTE,
  commitmentKw,
  isTest: false,
});

/** The state at each minute from `from` on; `at` gives what differs from a site in contact without dispatches. */
const minutes = (
  control: ControlConfig,
  at: (minute: number) => Partial<SiteInputs>,
  { from = 0, to = 60, start = INITIAL_STATE } = {},
): readonly SiteState[] => {
  const states: SiteState[] = [];
  let state: SiteState = start;
  for (let minute = from; minute <= to; minute++) {
    const usual = {
      nowMs: NOON + minute * MINUTE,
      elapsedMs: MINUTE,
      windows: [],
      silentMs: 0,
      isStarting: false,
      override: null,
      loadKw: 400,
    };
    state = stepSite(state, { ...usual, ...at(minute) }, control);
    states.push(state);
  }
  return states;
};

const curtailed = (states: readonly SiteState[]): readonly number[] =>
  states.flatMap(({ phase }, minute) => (phase === "curtailing" ? [minute] : []));

const range = (from: number, to: number): readonly number[] => Array.from({ length: to - from }, (_, i) => from + i);

test("a site curtails from the start to the end of a dispatch", () => {
  expect(curtailed(minutes(rules(), () => ({ windows: [dispatch(10, 20)] })))).toEqual(range(10, 20));
});

test("a lead begins before the start", () => {
  expect(curtailed(minutes(rules({ leadMs: 5 * MINUTE }), () => ({ windows: [dispatch(10, 20)] })))).toEqual(
    range(5, 20),
  );
});

test("a dispatch without an end goes on until an update sets it", () => {
  const states = minutes(rules(), (minute) => ({ windows: [dispatch(10, minute < 30 ? null : 35)] }));
  expect(curtailed(states)).toEqual(range(10, 35));
});

test("a dispatch that is cancelled ends at once", () => {
  const states = minutes(rules(), (minute) => ({ windows: minute < 15 ? [dispatch(10, 20)] : [] }));
  expect(curtailed(states)).toEqual(range(10, 15));
});

test("a dispatch that is extended after its end has passed is taken up again", () => {
  const states = minutes(rules(), (minute) => ({ windows: [dispatch(10, minute < 25 ? 20 : 40)] }));
  expect(curtailed(states)).toEqual([...range(10, 20), ...range(25, 40)]);
});

test("commitments of two dispatches at once are added, or the largest counts, and the time of both is curtailed", () => {
  const windows = [dispatch(10, 30, 100), dispatch(20, 40, 50)];
  const kw = (overlap: "sum" | "max") =>
    [15, 25, 35].map((minute) => minutes(rules({ overlap }), () => ({ windows }))[minute]?.demand?.commitmentKw);
  expect(kw("sum")).toEqual([100, 150, 50]);
  expect(kw("max")).toEqual([100, 100, 50]);
  expect(curtailed(minutes(rules(), () => ({ windows })))).toEqual(range(10, 40));
});

test("as much as possible is more than any commitment", () => {
  const windows = [dispatch(10, 30, null), dispatch(10, 30, 50)];
  expect(minutes(rules(), () => ({ windows }))[15]?.demand?.commitmentKw).toBeNull();
});

test("before the service was heard nothing is decided", () => {
  expect(minutes(rules(), () => ({ windows: null })).map(({ phase }) => phase)).not.toContain("normal");
});

test("without contact a site keeps to the dispatches that it knows", () => {
  const states = minutes(rules(), (minute) => ({ windows: [dispatch(10, 20)], silentMs: minute * MINUTE }));
  expect(curtailed(states)).toEqual(range(10, 20));
});

test("without contact a site releases after the time that is set, and curtails again once there is contact", () => {
  const contact = { lostAfterMs: 3 * MINUTE, action: "release", afterMs: 10 * MINUTE } as const;
  const states = minutes(rules({ contact }), (minute) => ({
    windows: [dispatch(0, 60)],
    silentMs: minute >= 5 && minute < 40 ? (minute - 5) * MINUTE : 0,
  }));
  expect(curtailed(states)).toEqual([...range(0, 18), ...range(40, 60)]);
  expect(states[20]?.cause).toBe("contact lost");
});

test("without contact a site takes its fixed level after the time that is set, with or without a dispatch", () => {
  const contact = { lostAfterMs: 3 * MINUTE, action: "level", afterMs: 0 } as const;
  const states = minutes(rules({ contact }), (minute) => ({ windows: [], silentMs: minute * MINUTE }));
  expect(states.map(({ phase }) => phase).indexOf("failsafe")).toBe(3);
});

test("a service that was never heard leads to the fail-safe, too", () => {
  const contact = { lostAfterMs: 3 * MINUTE, action: "release", afterMs: 0 } as const;
  const states = minutes(rules({ contact }), (minute) => ({ windows: null, silentMs: minute * MINUTE }));
  expect(states.slice(2, 4).map(({ phase }) => phase)).toEqual(["waiting", "normal"]);
});

test("a short dispatch is prolonged to the minimum on time, with its commitment", () => {
  const states = minutes(rules({ minimumOnMs: 15 * MINUTE }), () => ({ windows: [dispatch(10, 12)] }));
  expect(curtailed(states)).toEqual(range(10, 25));
  expect(states[20]).toMatchObject({ cause: "minimum on time", demand: { commitmentKw: 100 } });
});

test("after a curtailment the minimum off time passes first; before the first one it does not", () => {
  const windows = [dispatch(10, 20), dispatch(22, 40)];
  const states = minutes(rules({ minimumOffMs: 10 * MINUTE }), () => ({ windows }));
  expect(curtailed(states)).toEqual([...range(10, 20), ...range(30, 40)]);
  expect(states[25]?.cause).toBe("minimum off time");
});

test("after the maximum on time a site rests until the dispatch ends, and curtails in the next one", () => {
  const windows = [dispatch(0, 30), dispatch(40, 50)];
  const states = minutes(rules({ maximumOnMs: 10 * MINUTE }), () => ({ windows }));
  expect(curtailed(states)).toEqual([...range(0, 10), ...range(40, 50)]);
  expect(states[20]?.cause).toBe("maximum on time");
});

const override = (mode: Override["mode"], untilMinute: number | null): Override => ({
  mode,
  who: "Anna",
  by: "status page",
  atMs: NOON,
  untilMs: untilMinute === null ? null : NOON + untilMinute * MINUTE,
});

test("a person stops a curtailment until a time, whatever the minimum on time is", () => {
  const states = minutes(rules({ minimumOnMs: 30 * MINUTE }), (minute) => ({
    windows: [dispatch(10, 70)],
    override: minute < 20 ? null : override("normal", 40),
  }));
  expect(curtailed(states)).toEqual([...range(10, 20), ...range(40, 61)]);
});

test("where a person curtails during the rest after the maximum on time, the minimum on time holds", () => {
  const control = rules({ minimumOnMs: 8 * MINUTE, maximumOnMs: 10 * MINUTE });
  const states = minutes(control, (minute) => ({
    windows: [dispatch(0, 50)],
    override: minute === 20 ? override("curtail", 21) : null,
  }));
  expect(curtailed(states)).toEqual([...range(0, 10), ...range(20, 28)]);
  expect(states.slice(27, 29).map(({ cause }) => cause)).toEqual(["minimum on time", "maximum on time"]);
});

test("a person curtails without a dispatch, as much as possible, also without contact", () => {
  const contact = { lostAfterMs: 0, action: "release", afterMs: 0 } as const;
  const states = minutes(rules({ contact }), () => ({ override: override("curtail", 5), silentMs: MINUTE }));
  expect(curtailed(states)).toEqual(range(0, 5));
  expect(states[2]).toMatchObject({ cause: "override", demand: { commitmentKw: null } });
});

test("the load before a curtailment is kept while it lasts, over a restart and the next dispatch", () => {
  const windows = [dispatch(10, 20), dispatch(20, 30)];
  const at = (minute: number) => ({ windows, loadKw: minute <= 10 ? 400 : 250 });
  const first = minutes(rules(), at, { to: 15 });
  const stored = JSON.parse(JSON.stringify(first.at(-1))) as SiteState;
  const after = minutes(rules(), at, { from: 16, to: 40, start: stored });
  expect(after.slice(0, 14).map(({ referenceKw }) => referenceKw)).toEqual(Array(14).fill(400));
  expect(after.at(-1)?.referenceKw).toBeNull();
});

test("a clock that is set an hour ahead does not shorten minimum times", () => {
  const control = rules({ minimumOnMs: 15 * MINUTE });
  const states = minutes(control, (minute) => ({
    windows: [dispatch(0, 30)],
    nowMs: NOON + (minute < 5 ? minute : minute + 60) * MINUTE,
  }));
  expect(curtailed(states)).toEqual(range(0, 15));
});

test("a clock that is set back to before the start ends the curtailment, and the start comes again", () => {
  const states = minutes(rules(), (minute) => ({
    windows: [dispatch(10, 30)],
    nowMs: NOON + (minute < 15 ? minute : minute - 10) * MINUTE,
  }));
  expect(curtailed(states)).toEqual([...range(10, 15), ...range(20, 40)]);
});

test("whatever happens, minimum times hold unless a person decides, and no time is negative", () => {
  const step = fc.record({
    windows: fc.constantFrom(null, [], [dispatch(0, 20)], [dispatch(5, null)], [dispatch(3, 9), dispatch(6, 12)]),
    silentMs: fc.integer({ min: 0, max: 10 * MINUTE }),
    jumpMs: fc.constantFrom(0, 0, 0, 0, 3_600_000, -3_600_000),
  });
  const control = rules({
    minimumOnMs: 4 * MINUTE,
    minimumOffMs: 3 * MINUTE,
    contact: { lostAfterMs: 5 * MINUTE, action: "release", afterMs: 0 },
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let jump = 0;
      const states = minutes(
        control,
        (minute) => {
          const { jumpMs = 0, ...inputs } = steps[minute] ?? {};
          jump += jumpMs;
          return { ...inputs, nowMs: NOON + minute * MINUTE + jump };
        },
        { to: steps.length - 1 },
      );
      for (const [index, state] of states.entries()) {
        const before = states[index - 1];
        expect(state.phaseMs).toBeGreaterThanOrEqual(0);
        if (before?.phase === "curtailing" && state.phase !== "curtailing")
          expect(before.phaseMs + MINUTE).toBeGreaterThanOrEqual(control.minimumOnMs);
      }
    }),
  );
});

test("the minimum off time counts from the end of a curtailment, over the fail-safe too", () => {
  const contact = { lostAfterMs: 5 * MINUTE, action: "level", afterMs: 0 } as const;
  const states = (minimumOffMs: number) =>
    minutes(rules({ minimumOffMs, contact }), (minute) => ({
      windows: [dispatch(0, 60)],
      silentMs: minute >= 20 && minute < 24 ? 5 * MINUTE : 0,
    }));
  expect(curtailed(states(10 * MINUTE))).toEqual([...range(0, 20), ...range(30, 60)]);
  expect(states(10 * MINUTE)[25]).toMatchObject({ phase: "failsafe", cause: "minimum off time" });
  expect(curtailed(states(2 * MINUTE))).toEqual([...range(0, 20), ...range(24, 60)]);
});

test("a process that starts after the known end of a dispatch curtails on until it has asked", () => {
  const start = minutes(rules(), () => ({ windows: [dispatch(0, 10)] }), { to: 5 }).at(-1) ?? INITIAL_STATE;
  const states = minutes(
    rules({ minimumOffMs: 10 * MINUTE }),
    (minute) => ({ windows: [dispatch(0, minute < 22 ? 10 : 40)], isStarting: minute < 22 }),
    { from: 20, to: 45, start },
  );
  expect(curtailed(states)).toEqual(range(0, 20));
  expect(states[0]).toMatchObject({ cause: "no contact yet", demand: { commitmentKw: 100 } });
  const failed = minutes(rules(), () => ({ windows: [dispatch(0, 10)] }), { from: 20, to: 21, start });
  expect(curtailed(failed)).toEqual([]);
});
