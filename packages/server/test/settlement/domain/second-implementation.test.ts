import { readFile } from "node:fs/promises";
import { CELL_SECONDS, countOf, deliveredWithin, type LoadSeries, measuredEndMs, valueAt } from "@curtail/measure";
import { expect, test } from "vitest";
import type { StandingDispatch } from "../../../src/performance/operations/final/standing-results.js";
import type { RulesVersion } from "../../../src/portfolio/domain/rules.js";
import { monthOf } from "../../../src/portfolio/operations/local-month.js";
import { capacityDaysOf } from "../../../src/settlement/domain/capacity-days.js";
import type { EnrolledPeriod } from "../../../src/settlement/domain/enrolled-period.js";
import { settleSite } from "../../../src/settlement/domain/settle-site.js";
import { SETTLEMENT_RULES } from "../../../src/settlement/domain/settlement-rules.js";
import type { SettledResult } from "../../../src/settlement/domain/statement.js";
import type { Terms } from "../../../src/settlement/domain/terms.js";
import { termsFrom } from "../../../src/settlement/http/wire-terms.js";
import { contestedResult } from "../../../src/settlement/operations/contested-result.js";
import { daysOfMonth } from "../../../src/settlement/operations/enrolled-in-month.js";
import { tookPlace } from "../../../src/settlement/operations/gathered-sites.js";
import { cellsOfDispatch, SiteClaims } from "../../../src/settlement/operations/site-claims.js";

// The expected lines come from second/statements.py of the package measure, by way of second/make_statement_vectors.py.
// Instants are Unix seconds.

interface GivenDispatch {
  readonly id: string;
  readonly program: string;
  readonly start: number;
  readonly end: number;
  readonly cancelled: number | null;
  readonly issued: number;
  readonly test: boolean;
  readonly void: boolean;
  readonly final: boolean;
  readonly commitment: string | null;
  readonly baseline: boolean;
  readonly gaps: number;
}

interface GivenProgram {
  readonly zone: string;
  readonly terms: Readonly<Record<string, Parameters<typeof termsFrom>[0]>>;
  readonly rules: Readonly<Record<string, RulesVersion>>;
}

interface Scene {
  readonly seed: number;
  readonly month: string;
  readonly programs: Readonly<Record<string, GivenProgram>>;
  readonly enrolments: ReadonlyArray<{
    readonly program: string;
    readonly from: number;
    readonly to: number | null;
    readonly kw: string | null;
    readonly since: number;
  }>;
  readonly dispatches: readonly GivenDispatch[];
  readonly expected: ReadonlyArray<Readonly<Record<"program" | "kind" | "dispatch" | "amount", string | null>>>;
}

const PATH = new URL("../../../../measure/test/second/statement-vectors.json", import.meta.url);
const scenes = JSON.parse(await readFile(PATH, "utf8")) as readonly Scene[];

const BASELINE_KW = 300;
/** The load by the formula, which make_statement_vectors.py has, too: in eighths of a kW, so without rounding. */
const loadKw = (seed: number, cell: number): number =>
  BASELINE_KW - 60 + ((cell * 37) % (101 + seed)) - ((cell * seed) % 8) / 8;

const numberOf = (decimal: string | null): number | null => (decimal === null ? null : Number(decimal));

const standing = ({ id, program, ...given }: GivenDispatch, { zone }: GivenProgram): StandingDispatch => ({
  id,
  programId: program,
  programName: program,
  timezone: zone,
  isTest: given.test,
  isRecord: false,
  isVoid: given.void,
  startMs: given.start * 1000,
  endMs: given.end * 1000,
  cancelledMs: given.cancelled === null ? null : given.cancelled * 1000,
  issuedMs: given.issued * 1000,
});

const measuredOf = (seed: number, { start, end, gaps, baseline, commitment }: GivenDispatch) => {
  const firstCell = Math.floor(start / CELL_SECONDS) - 1;
  const length = Math.floor(end / CELL_SECONDS) + 3 - firstCell;
  const seriesOf = (kwAt: (cell: number) => number): LoadSeries => ({
    intervalSeconds: CELL_SECONDS,
    firstCell,
    values: Float64Array.from({ length }, (_, index) => kwAt(firstCell + index)),
  });
  return {
    load: seriesOf((cell) => (gaps !== 0 && cell % gaps === 0 ? Number.NaN : loadKw(seed, cell))),
    curve: baseline ? seriesOf(() => BASELINE_KW) : null,
    commitmentKw: numberOf(commitment),
  };
};

const resultOf = (seed: number, given: GivenDispatch, dispatch: StandingDispatch): SettledResult => {
  const measured = measuredOf(seed, given);
  const cells = cellsOfDispatch(dispatch);
  const isSilent = Array.from({ length: countOf(cells) }, (_, index) =>
    valueAt(measured.load, cells.first + index),
  ).every(Number.isNaN);
  const delivered = deliveredWithin(measured, [cells]);
  const endMs = measuredEndMs(dispatch) ?? 0;
  const { commitmentKw } = measured;
  return {
    dispatchId: given.id,
    startMs: dispatch.startMs,
    endMs,
    version: given.final ? 1 : null,
    isCancelled: given.cancelled !== null,
    netKwh: given.final ? delivered.deliveredKwh : null,
    flooredKwh: given.final ? delivered.deliveredFlooredKwh : null,
    cappedKwh: given.final ? delivered.deliveredCappedKwh : null,
    committedKwh:
      commitmentKw === null || !given.final ? null : (commitmentKw * (endMs - dispatch.startMs)) / 3_600_000,
    performance: null,
    reason: given.baseline ? null : "too few days",
    isSilent: given.final && isSilent,
  };
};

const settled = ({ seed, month, programs, enrolments, dispatches }: Scene) => {
  const monthTerms = (program: string, of: string): { terms: Terms; rulesVersion: RulesVersion } | null => {
    const given = programs[program]?.terms[of];
    return given === undefined ? null : { terms: termsFrom(given), rulesVersion: programs[program]?.rules[of] ?? 2 };
  };
  const claims = new SiteClaims();
  const taking = dispatches.flatMap((given) => {
    const program = programs[given.program];
    if (program === undefined) return [];
    const dispatch = standing(given, program);
    const of = monthOf(dispatch.startMs, program.zone);
    const terms = monthTerms(given.program, of);
    if (!tookPlace(dispatch) || terms === null) return [];
    const result = resultOf(seed, given, dispatch);
    claims.add("site", dispatch, result, terms);
    return [{ given, dispatch, of, result }];
  });
  const contests = claims.contestsOf("site");
  const periods = enrolments
    .filter(({ program }) => monthTerms(program, month)?.terms.capacity)
    .map(
      ({ program, from, to, kw, since }): EnrolledPeriod => ({
        programId: program,
        programName: program,
        fromMs: from * 1000,
        toMs: to === null ? null : to * 1000,
        commitmentKw: numberOf(kw),
        sinceMs: since * 1000,
      }),
    );
  return Object.entries(programs).flatMap(([id, { zone }]) => {
    const terms = monthTerms(id, month);
    if (terms === null) return [];
    const results = taking
      .filter(({ given, of }) => given.program === id && of === month)
      .toSorted((a, b) => a.dispatch.startMs - b.dispatch.startMs || (a.given.id < b.given.id ? -1 : 1))
      .map(({ given, dispatch, result }) => {
        const contest = contests.get(given.id);
        const isExclusive = SETTLEMENT_RULES[terms.rulesVersion].isExclusive;
        if (contest === undefined || !isExclusive) return result;
        const measured = given.final ? measuredOf(seed, given) : null;
        return contestedResult(result, contest, { expected: countOf(cellsOfDispatch(dispatch)), measured });
      });
    const capacity = capacityDaysOf(id, daysOfMonth(month, zone), periods);
    const { isEnrolled = false, commitmentKw = null } = capacity.at(-1) ?? {};
    const site = { siteId: "site", name: "Mill", isEnrolled, commitmentKw, capacity, results };
    const { lines } = settleSite({ id, ...terms }, site);
    return lines.map(({ kind, dispatchId: dispatch, amount }) => ({ program: id, kind, dispatch, amount }));
  });
};

test.each(scenes.map((scene) => [scene.seed, scene] as const))(
  "the lines of month %i are those of the second implementation",
  (_, scene) => {
    expect(settled(scene)).toEqual(scene.expected);
  },
);
