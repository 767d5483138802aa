import { operator } from "@curtail/contract";
import { propertyRuns } from "@curtail/testing/property-runs";
import { wireProgram } from "@curtail/testing/wire-forms";
import fc from "fast-check";
import { expect, test } from "vitest";
import { intervalsBetween, meanOfDays, untilVersions, uploadIntervals } from "../../support/measuring.js";
import { type Participant, type Running, running } from "../../support/running.js";
import { type AnyStatement, setTerms, statementMade, statementOf } from "../../support/settling.js";

// Random programs and overlapping dispatches in a real store: readings go in by the interface, statements come out. What
// they pay is compared with a sum over the readings alone, which knows neither dispatches' results nor contests.

const DAY = "2026-06-10";
const START_MS = Date.parse(`${DAY}T18:00:00Z`);
const CELL_MS = 30_000;
/** Three hours in which dispatches begin and end on any second. */
const SECONDS = 3 * 3600;
const CELLS = (SECONDS * 1000) / CELL_MS;
const BASELINE_KW = 300;

interface Called {
  readonly program: number;
  readonly from: number;
  readonly seconds: number;
  readonly sites: readonly number[];
  readonly fate: "kept" | "test" | "void";
}

/** kW that a site curtails in each of 5 minutes: 1.2 kW in 30 s are a hundredth of a kWh, so every amount is exact. */
const curtailed = fc.array(
  fc.integer({ min: -20, max: 200 }).map((steps) => steps * 1.2),
  {
    minLength: SECONDS / 300,
    maxLength: SECONDS / 300,
  },
);

const scene: fc.Arbitrary<Scene> = fc.record({
  /** Three programs, of which the first pays for energy. */
  pays: fc.tuple(fc.constant(true), fc.boolean(), fc.boolean()),
  loads: fc.array(curtailed, { minLength: 2, maxLength: 2 }),
  calls: fc.array(
    fc.record({
      program: fc.nat(2),
      from: fc.integer({ min: 0, max: SECONDS - 600 }),
      seconds: fc.integer({ min: 60, max: 5400 }),
      sites: fc.subarray([0, 1], { minLength: 1 }),
      fate: fc.oneof(
        { weight: 6, arbitrary: fc.constant("kept" as const) },
        fc.constant("test" as const),
        fc.constant("void" as const),
      ),
    }),
    { minLength: 4, maxLength: 7 },
  ),
});

interface Scene {
  readonly pays: readonly boolean[];
  /** By site. */
  readonly loads: readonly (readonly number[])[];
  readonly calls: readonly Called[];
}

const at = (service: Running, time: string): void => service.clock.set(new Date(time));
const momentOf = (seconds: number): string => new Date(START_MS + seconds * 1000).toISOString();
const endOf = ({ from, seconds }: Called): number => Math.min(from + seconds, SECONDS);

const newProgram = async (service: Running, participant: Participant, pays: boolean): Promise<string> => {
  const { id } = await service.made(operator.createProgram, { body: wireProgram({ baseline: meanOfDays(3) }) });
  for (const site of participant.sites) {
    await service.made(operator.enrolSite, { params: { id, site_id: site.id }, body: { commitment: 100 } });
  }
  const energy = { price_per_kwh: "1", counted: "net", highest_share: null } as const;
  const penalty = {
    below: "1",
    price_per_kwh: "1",
    counted: "net",
    highest_per_month: null,
    within_earnings: false,
  } as const;
  await setTerms(service, id, pays ? { energy, penalty } : { penalty });
  return id;
};

const settled = async (service: Running, { pays, loads, calls }: Scene) => {
  at(service, "2026-05-31T00:00:00Z");
  const participant = await service.newParticipant({ sites: [["Main"], ["Main"]] });
  const programs: string[] = [];
  for (const each of pays) programs.push(await newProgram(service, participant, each));
  at(service, "2026-06-12T00:00:00Z");
  for (const [index, { meters }] of participant.sites.entries()) {
    const kwAt = (endMs: number): number =>
      BASELINE_KW - (loads[index]?.[Math.ceil((endMs - START_MS) / 300_000) - 1] ?? 0);
    const days = intervalsBetween(["2026-06-06T00:00:00Z", "2026-06-11T00:00:00Z"], 300, kwAt);
    await uploadIntervals(participant, meters[0] ?? "", days);
  }
  const dispatches: string[] = [];
  for (const called of calls) {
    service.clock.advance({ seconds: 1 });
    const body = {
      program_id: programs[called.program] ?? "",
      start_time: momentOf(called.from),
      end_time: momentOf(endOf(called)),
      sites: called.sites.map((index) => ({ site_id: participant.sites[index]?.id ?? "" })),
      test: called.fate === "test",
      confirm_past: true,
    };
    dispatches.push((await service.made(operator.createDispatch, { body })).id);
  }
  for (const id of dispatches) await untilVersions(service, id, 1);
  for (const [index, id] of dispatches.entries()) {
    if (calls[index]?.fate !== "void") continue;
    await service.made(operator.changeDispatch, {
      params: { id },
      body: { authorized: false, void_reason: "a mistake" },
    });
  }
  const id = await statementMade(service, participant.accountId, "2026-06");
  return { participant, statement: await statementOf(service, id) };
};

/** Cents of a site by its readings alone: each interval whose middle any paid dispatch covers, once. */
const independentCents = ({ pays, loads, calls }: Scene, site: number): number => {
  const paid = calls.filter(
    ({ program, sites, fate }) => pays[program] === true && sites.includes(site) && fate === "kept",
  );
  let cents = 0;
  for (let cell = 0; cell < CELLS; cell++) {
    const middle = (cell + 0.5) * (CELL_MS / 1000);
    const isCovered = paid.some((called) => called.from < middle && middle <= endOf(called));
    if (isCovered) cents += Math.round((loads[site]?.[Math.floor(cell / 10)] ?? 0) / 1.2);
  }
  return cents;
};

const linesOf = ({ sites }: AnyStatement, siteId: string) =>
  sites.filter(({ site_id }) => site_id === siteId).flatMap(({ lines }) => lines);

const centsOf = (lines: ReturnType<typeof linesOf>): number =>
  lines.filter(({ kind }) => kind === "energy").reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0);

/** Pairs of dispatches that both claim to be paid for the intervals that they share. */
const paidByBoth = (lines: ReturnType<typeof linesOf>) => {
  const here = new Set(
    lines
      .filter(({ kind }) => kind === "energy")
      .flatMap(({ dispatch_id, shared_with }) =>
        shared_with.filter(({ paid }) => paid === "here").map((other) => `${dispatch_id} ${other.dispatch_id}`),
      ),
  );
  return [...here].filter((pair) => here.has(pair.split(" ").toReversed().join(" ")));
};

const LEAST_RUNS = 10;

test("property: over random programs and dispatches in a store, statements pay the energy of each interval once", async () => {
  const service = await running();
  let [tried, overlaps] = [0, 0];
  await fc.assert(
    fc.asyncProperty(scene, async (given) => {
      tried += 1;
      const { participant, statement } = await settled(service, given);
      for (const [index, { id }] of participant.sites.entries()) {
        const lines = linesOf(statement, id);
        expect(centsOf(lines)).toBe(independentCents(given, index));
        expect(paidByBoth(lines)).toEqual([]);
        overlaps += lines.filter(({ kind, shared_with }) => kind === "energy" && shared_with.length > 0).length;
      }
    }),
    { numRuns: propertyRuns(LEAST_RUNS, { atMost: 60 }), endOnFailure: true },
  );
  // Else the property says nothing about overlaps; a long run ends early on a busy machine.
  if (tried >= LEAST_RUNS) expect(overlaps).toBeGreaterThan(tried / 4);
}, 300_000);

test("control: by the first rules, the same sum is another one", async () => {
  const service = await running();
  await service.database.pool.query(
    "update rules_adoptions set from_month = '2026-07'; select note_change('rules.adopt', '')",
  );
  const call: Called = { program: 0, from: 0, seconds: 3600, sites: [0], fate: "kept" };
  const load = Array.from({ length: SECONDS / 300 }, () => 60);
  const given: Scene = { pays: [true, true, false], loads: [load, load], calls: [call, { ...call, program: 1 }] };
  const { participant, statement } = await settled(service, given);
  const cents = centsOf(linesOf(statement, participant.sites[0]?.id ?? ""));
  expect([cents, independentCents(given, 0)]).toEqual([12_000, 6000]);
});
