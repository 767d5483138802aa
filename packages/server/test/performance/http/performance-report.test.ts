import { readFile } from "node:fs/promises";
import { changeSchedule, getPerformanceReport, operator, type QueryOf } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { adminOf } from "../../app/admin-run.js";
import { enableDisplay } from "../../support/display.js";
import { expectError } from "../../support/expect-error.js";
import {
  dispatchBetween,
  intervalsBetween,
  meanOfDays,
  measuredProgram,
  performanceOf,
  untilVersions,
  uploadIntervals,
} from "../../support/measuring.js";
import { newBrowser } from "../../support/people.js";
import { type Participant, type Running, running } from "../../support/running.js";
import { askedOf, type FileRow, rowsOfBoth } from "../../support/table-rows.js";

let service: Running;
let anna: Participant;
let bert: Participant;
let programId: string;
/** Dispatches of June by name. */
const ids: Record<string, string> = {};

const JUNE = { from: "2026-06-01", to: "2026-06-30" };
const june = "from=2026-06-01&to=2026-06-30";
const hour = (day: string, from: number) =>
  [`2026-06-${day}T${from}:00:00Z`, `2026-06-${day}T${from + 1}:00:00Z`] as const;
const upload = (of: Participant, [from, to]: readonly [string, string], kw: number, site = 0) =>
  uploadIntervals(
    of,
    of.sites[site]?.meters[0] ?? "",
    intervalsBetween([from, to], 300, () => kw),
  );

// Two accounts whose sites take 100 kW, in dispatches with every outcome.
beforeAll(async () => {
  service = await running();
  service.clock.set(new Date("2026-06-01T00:00:00Z"));
  anna = await service.newParticipant({ name: "Anna's works", sites: [["main"], ["main"]] });
  bert = await service.newParticipant({ name: "=Bert", sites: [["main"]] });
  programId = await measuredProgram(service, [anna, bert], {
    name: "June program",
    timezone: "America/New_York",
    baseline: meanOfDays(3),
    commitment: 40,
  });
  const block = { available: false, start_time: "2026-06-20T00:00:00Z", end_time: "2026-06-23T00:00:00Z" };
  const blocked = await anna.call(changeSchedule, { params: { site_id: anna.sites[0]?.id ?? "" }, body: block });
  expect(blocked.status).toBe(200);
  service.clock.set(new Date("2026-06-12T00:00:00Z"));
  for (const [of, site] of [
    [anna, 0],
    [anna, 1],
    [bert, 0],
  ] as const)
    await upload(of, ["2026-06-04T00:00:00Z", "2026-06-12T00:00:00Z"], 100, site);
  await upload(anna, hour("09", 18), 70);
  await upload(bert, hour("09", 18), 50);
  await upload(anna, hour("10", 18), 61.3, 1);
  ids["first"] = await dispatchBetween(service, programId, hour("09", 18));
  ids["second"] = await dispatchBetween(service, programId, hour("10", 18));
  ids["voided"] = await dispatchBetween(service, programId, hour("11", 18));
  ids["test"] = await dispatchBetween(service, programId, hour("11", 20), { test: true });
  ids["short"] = await dispatchBetween(service, programId, hour("05", 10));
  ids["upcoming"] = await dispatchBetween(service, programId, hour("30", 18));
  for (const name of ["first", "second", "voided", "test", "short"]) await untilVersions(service, ids[name] ?? "", 1);
  await service.made(operator.changeDispatch, {
    params: { id: ids["voided"] },
    body: { authorized: false, void_reason: "by mistake" },
  });
  // On 31 May in New York.
  ids["may"] = await dispatchBetween(service, programId, ["2026-06-01T02:00:00Z", "2026-06-01T03:00:00Z"]);
});

const report = (query: Partial<QueryOf<typeof operator.getAnyPerformanceReport>> = {}) =>
  service.made(operator.getAnyPerformanceReport, { query: { ...JUNE, ...query } });

/** A name that a spreadsheet would take for a formula, as it is in CSV. */
const withoutFormulas = (row: object) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, String(value).startsWith("=") ? `'${value}` : value]),
  );

const sumOf = (some: readonly FileRow[], valueOf: (row: FileRow) => number): number =>
  some.reduce((sum, row) => sum + valueOf(row), 0);

const energy =
  (name: string) =>
  (row: FileRow): number =>
    Number(row[name] ?? 0);

const sorted = (some: readonly unknown[][]): unknown[][] =>
  some.toSorted(([a], [b]) => String(a).localeCompare(String(b)));

describe("a report over the dispatches of a period", () => {
  test("adds up what stands, site by site, and names every other call", async () => {
    const { rows, total } = await report({ program_id: programId });
    expect(rows.map((row) => [row.site_id, row.account_name])).toEqual(
      rows.map((row) => [row.site_id, row.account_id === anna.accountId ? "Anna's works" : "=Bert"]),
    );
    const [first] = rows.filter((row) => row.site_id === anna.sites[0]?.id);
    expect(first).toMatchObject({
      dispatches: 5,
      calls: 5,
      measured: 2,
      without_baseline: 1,
      cancelled: 0,
      voided: 1,
      not_final: 1,
      call_hours: 2,
      performance: 30 / 80,
      lowest_performance: 0,
      highest_performance: 0.75,
      delivered_share: 30 / 80,
      delivered_energy_kwh: 30,
      committed_energy_kwh: 80,
      coverage: 1,
      judged: 2,
      share_on_commitment: 0,
      availability: 0.9,
      relative_rmse: null,
    });
    expect(total).toMatchObject({ site_id: null, dispatches: 5, calls: 15, measured: 6, voided: 3, not_final: 3 });
    expect(total.delivered_energy_kwh).toBeCloseTo(30 + 50 + 38.7, 9);
    expect(total.availability).toBeCloseTo(1 - 3 / 90, 9);
  });

  test("agrees with the totals of a dispatch that is alone in it", async () => {
    const alone = await service.made(operator.getAnyPerformanceReport, {
      query: { from: "2026-06-09", to: "2026-06-09", by: "program", program_id: programId },
    });
    const { totals } = await performanceOf(service, ids["first"] ?? "");
    expect(alone.rows).toMatchObject([
      {
        program_name: "June program",
        calls: 3,
        performance: totals.to_date.performance,
        delivered_energy_kwh: totals.delivered_energy_kwh,
        committed_energy_kwh: totals.committed_energy_kwh,
        coverage: totals.coverage,
      },
    ]);
  });

  test("counts a call on the local day of its start, and operators' tests on request", async () => {
    const may = await service.made(operator.getAnyPerformanceReport, {
      query: { from: "2026-05-31", to: "2026-05-31", program_id: programId },
    });
    expect(may.total).toMatchObject({ dispatches: 1, calls: 3 });
    const { total } = await report({ program_id: programId, tests: "true" });
    expect(total).toMatchObject({ dispatches: 6, calls: 18, measured: 9 });
  });

  test("has the same numbers as JSON, as CSV and as Parquet", async () => {
    for (const by of ["site", "account", "program"] as const) {
      const { rows } = await report({ by });
      const { csv, parquet } = await rowsOfBoth(service, `/operator/v1/reports/performance/download?${june}&by=${by}`);
      expect(parquet).toEqual(rows);
      expect(csv).toEqual(rows.map(withoutFormulas));
    }
  });

  test("can be computed again from the rows of its calls", async () => {
    const { csv, parquet } = await rowsOfBoth(
      service,
      `/operator/v1/reports/performance/download?${june}&by=dispatch_site&program_id=${programId}`,
    );
    expect(csv).toEqual(parquet.map(withoutFormulas));
    expect(parquet.map((row) => row["dispatch_id"])).toEqual(
      ["short", "first", "second", "voided", "upcoming"].flatMap((name) => [ids[name], ids[name], ids[name]]),
    );
    expect(parquet[3]).toMatchObject({
      version: 1,
      version_reason: "complete",
      program_id: programId,
      account_id: anna.accountId,
      site_id: anna.sites[0]?.id,
      local_date: "2026-06-09",
      local_month: "2026-06",
      start_time: "2026-06-09T18:00:00Z",
      end_time: "2026-06-09T19:00:00Z",
      outcome: "measured",
      commitment_kw: 40,
      performance: 0.75,
      delivered_energy_kwh: 30,
      committed_energy_kwh: 40,
      intervals_expected: 120,
      status: "amber",
    });
    const { rows, total } = await report({ program_id: programId });
    const measured = parquet.filter((row) => row["outcome"] === "measured");
    for (const row of [...rows, total]) {
      const own = measured.filter(({ site_id }) => row.site_id === null || site_id === row.site_id);
      expect(sumOf(own, energy("delivered_energy_kwh"))).toBeCloseTo(row.delivered_energy_kwh ?? Number.NaN, 9);
      const committed = sumOf(own, energy("committed_energy_kwh"));
      expect(committed).toBeCloseTo(row.committed_energy_kwh ?? Number.NaN, 9);
      const reached = sumOf(own, (each) => energy("performance")(each) * energy("committed_energy_kwh")(each));
      expect(reached / committed).toBeCloseTo(row.performance ?? Number.NaN, 9);
    }
  });

  test("can be computed again by the query of the documentation", async () => {
    const documented = /```sql[^\n]*\n([^`]+)```/.exec(await readFile("docs/reports.md", "utf8"))?.[1] ?? "";
    const path = `/operator/v1/reports/performance/download?${june}&by=dispatch_site`;
    const found = await askedOf(service, path, documented.replace("'calls.parquet'", "'{file}'"));
    const { rows } = await report();
    const figures = rows.map((row) => [row.site_id, row.delivered_energy_kwh, row.performance]);
    const queried = found.map((row) => [row["site_id"], row["delivered_energy_kwh"], row["performance"]]);
    expect(sorted(queried)).toEqual(
      sorted(figures).map(([id, kwh, performance]) => [
        id,
        expect.closeTo(kwh as number, 9),
        expect.closeTo(performance as number, 9),
      ]),
    );
  });

  test("shows a participant its own sites only, to its system and to its users", async () => {
    const mine = await bert.call(getPerformanceReport, { query: { ...JUNE, by: "account" } });
    expect(mine.body.rows).toMatchObject([{ account_id: bert.accountId, calls: 5, delivered_energy_kwh: 50 }]);
    const foreign = await bert.call(getPerformanceReport, { query: { ...JUNE, site_id: anna.sites[0]?.id ?? "" } });
    expect(foreign.body).toMatchObject({ rows: [], total: { calls: 0 } });
    const path = `/2022-04-15/reports/performance/download?${june}&by=dispatch_site`;
    const { parquet } = await rowsOfBoth(service, path, { "X-Service-API-Key": bert.key });
    expect(parquet).toHaveLength(5);
    expect(new Set(parquet.map((row) => row["account_id"]))).toEqual(new Set([bert.accountId]));

    const person = await newBrowser(service, "participant-viewer", anna.accountId);
    const shown = async () => (await person.console("GET", `/reports/performance?${june}`)).body.rows;
    expect(await shown()).toEqual([]);
    await enableDisplay(service, anna);
    expect((await shown()).map((row: { site_id: string }) => row.site_id)).toEqual(anna.sites.map(({ id }) => id));
    const file = await rowsOfBoth(service, `/console/v1/reports/performance/download?${june}`, {
      cookie: `curtail_session=${person.token}`,
    });
    expect(file.parquet).toEqual(await shown());
    expectError(await person.operator("GET", `/reports/performance?${june}`), 404, /./);
  });

  test("tells on request how accurate the method of each site is", async () => {
    const { rows } = await report({ program_id: programId, site_id: bert.sites[0]?.id ?? "", accuracy: "true" });
    // The load was the same on every day without a dispatch, so the baseline is right.
    expect(rows).toMatchObject([{ relative_rmse: 0, relative_bias: 0 }]);
    expect(rows[0]?.accuracy_days).toBeGreaterThan(0);
  });

  test("is a command of the operator's", async () => {
    const run = await adminOf(service)(["reports", "performance", "--from", JUNE.from, "--to", JUNE.to, "--json"]);
    expect(JSON.parse(run.stdout)).toMatchObject({ from: JUNE.from, by: "site", total: { dispatches: 5 } });
  });

  test.for([
    ["from=2026-06-01", 400, /to/],
    ["from=2026-02-30&to=2026-06-01", 400, /^from is "2026-02-30"; give a date/],
    ["from=2026-06-02&to=2026-06-01", 400, /^to is before from/],
    ["from=2025-01-01&to=2026-06-30", 400, /^the period has 546 days, and a report has at most 400/],
    [`${june}&by=month`, 400, /by/],
    [`${june}&by=dispatch_site`, 400, /by/],
    [`${june}&accuracy=true`, 400, /set by=site and program_id/],
  ] as const)("is refused with %s", async ([query, status, message]) => {
    expectError(await service.operator("GET", `/reports/performance?${query}`), status, message);
  });
});
