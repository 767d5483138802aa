import { mkdtempSync, rmSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import timers from "node:timers/promises";
import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AgentConfig } from "../../src/config/config.js";
import { parseConfig } from "../../src/config/read-config.js";
import type { Day, DayDispatch, DayEvent } from "../../src/rehearse/day.js";
import { commitmentOf, playDay } from "../../src/rehearse/play-day.js";
import { Agent } from "../../src/run/agent.js";
import { drySink } from "../../src/run/dry-run.js";
import { ServiceKey } from "../../src/service/service-key.js";

const NOON = Date.UTC(2026, 6, 1, 12);
const MINUTE = 60_000;

const { setTimeout: wait } = timers;

beforeEach(() => {
  vi.useFakeTimers({ now: NOON, toFake: ["Date", "performance", "setTimeout", "clearTimeout"] });
  timers.setTimeout = fakeWait as typeof wait;
  syncBuiltinESMExports();
});
afterEach(() => {
  vi.useRealTimers();
  timers.setTimeout = wait;
  vi.unstubAllGlobals();
  syncBuiltinESMExports();
});

/** As that of the module, on the time that tests move. */
const fakeWait = (ms: number, _: unknown, { signal }: { readonly signal?: AbortSignal } = {}): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    if (signal?.aborted === true) stop();
    signal?.addEventListener("abort", stop, { once: true });
  });

const dispatch = (id: string, from: number, to: number, share: number | null): DayEvent => ({
  atMs: NOON + (from - 1) * MINUTE,
  title: id,
  act: { kind: "dispatch", dispatch: { id, startMs: NOON + from * MINUTE, endMs: NOON + to * MINUTE, share } },
});
const contact = (minute: number, isThere: boolean): DayEvent => ({
  atMs: NOON + minute * MINUTE,
  title: "contact",
  act: { kind: "contact", isThere },
});

/** A dispatch that is changed, one that is cancelled, and one with a loss of contact in it. */
const day: Day = {
  fromMs: NOON,
  toMs: NOON + 32 * MINUTE,
  events: [
    dispatch("morning", 2, 5, 0.25),
    { ...dispatch("morning", 2, 7, 0.5), atMs: NOON + 4 * MINUTE },
    dispatch("noon", 9, 15, 0.25),
    { atMs: NOON + 11 * MINUTE, title: "cancel", act: { kind: "cancel", id: "noon" } },
    dispatch("afternoon", 17, 30, null),
    contact(20, false),
    contact(27, true),
  ],
};

interface Rules {
  readonly action: string;
  readonly lostAfter: number;
  readonly after: number;
  readonly minimumOn: number;
  readonly minimumOff: number;
  readonly lead: number;
}

const configOf = (state: string, rules: Rules): AgentConfig => {
  const control = `lead: ${rules.lead}s, minimum_on: ${rules.minimumOn}s, minimum_off: ${rules.minimumOff}s`;
  const read = parseConfig(
    `
service: { url: "http://127.0.0.1:9", key: key_1, poll: 1s }
state: ${state}
status: false
sites:
  - id: site_1
    name: Mill
    control: { ${control}, contact: { lost_after: ${rules.lostAfter}s, action: ${rules.action}, after: ${rules.after}s } }
    outputs:
      - { name: relay, to: { command: { file: /bin/true } }, curtail: 1, normal: 0, failsafe: 2, repeat: 24h }
      - { name: limit, to: { command: { file: /bin/true } }, curtail: commitment, full: 999, normal: 0, failsafe: 5, repeat: 24h }
`,
    { environment: {}, readText: () => "" },
  );
  if ("faults" in read) throw new Error(JSON.stringify(read.faults));
  return read.config;
};

type Line = readonly [second: number, output: string, value: number | null];

/** What the agent itself writes on this day, with a service in place of `fetch`, and time that tests move. */
const asAgent = async (config: AgentConfig): Promise<readonly Line[]> => {
  let known: readonly DayDispatch[] = [];
  let isReachable = true;
  const [site] = config.sites;
  if (site === undefined) throw new Error("there is no site");
  vi.stubGlobal("fetch", async (input: string) => {
    if (!isReachable) throw new TypeError("fetch failed");
    if (!input.endsWith("/dispatches")) return new Response("{}", { status: 404 });
    const dispatches = known.map(({ id, startMs, endMs, share }) => ({
      id,
      authorized: true,
      test: false,
      start_time: new Date(startMs).toISOString(),
      end_time: new Date(endMs).toISOString(),
      sites: [{ id: "site_1", commitment: share === null ? null : commitmentOf(site, share) }],
    }));
    return Response.json({ dispatches });
  });
  const lines: Line[] = [];
  const log = { info: () => {}, warn: () => {} };
  const clock = { now: () => Date.now(), monotonic: () => performance.now() };
  const outputs = {
    write: (_: unknown, value: number | null, { output }: { readonly output: string }) => {
      if (lines.findLast(([, name]) => name === output)?.[2] !== value)
        lines.push([(Date.now() - NOON) / 1_000, output, value]);
      return Promise.resolve();
    },
    readBack: () => Promise.resolve(null),
  };
  const key = new ServiceKey(config.service, clock.monotonic);
  const agent = new Agent(config, { clock, log, sink: drySink(log), key, outputs });
  await agent.start();
  let next = 0;
  for (let ms = day.fromMs; ms < day.toMs; ms += 1_000) {
    for (let event = day.events[next]; event !== undefined && event.atMs <= ms; event = day.events[++next]) {
      const { act } = event;
      if (act.kind === "contact") isReachable = act.isThere;
      if (act.kind === "cancel") known = known.filter(({ id }) => id !== act.id);
      if (act.kind === "dispatch") known = [...known.filter(({ id }) => id !== act.dispatch.id), act.dispatch];
    }
    await vi.advanceTimersByTimeAsync(1_000);
  }
  const stopped = agent.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  await stopped;
  return lines;
};

const asRehearsed = async (config: AgentConfig): Promise<readonly Line[]> => {
  const { entries } = await playDay(config, day);
  return entries
    .filter((entry) => entry.kind === "write")
    .map(({ atMs, output, value }) => [(atMs - NOON) / 1_000, output, value === "released" ? null : value]);
};

const rules: fc.Arbitrary<Rules> = fc.record({
  action: fc.constantFrom("keep", "release", "level"),
  lostAfter: fc.constantFrom(10, 120, 600),
  after: fc.constantFrom(0, 60, 300),
  minimumOn: fc.constantFrom(0, 150, 400),
  minimumOff: fc.constantFrom(0, 150, 400),
  lead: fc.constantFrom(0, 30),
});

test("the timeline is what the agent does, to two seconds, with any rules", async () => {
  const folder = mkdtempSync(join(tmpdir(), "curtail-agent-"));
  await fc.assert(
    fc.asyncProperty(rules, async (given) => {
      vi.setSystemTime(NOON);
      const config = configOf(folder, given);
      const [agent, rehearsed] = [await asAgent(config), await asRehearsed(config)];
      expect(rehearsed.map(([, ...change]) => change)).toEqual(agent.map(([, ...change]) => change));
      for (const [index, [second]] of rehearsed.entries())
        expect(Math.abs(second - (agent[index]?.[0] ?? Number.NaN))).toBeLessThanOrEqual(2);
    }),
    { numRuns: propertyRuns(1, { atMost: 10 }) },
  );
  rmSync(folder, { recursive: true });
}, 120_000);
