import { getPerformanceReport } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { enableDisplay } from "../../support/display.js";
import { expectError } from "../../support/expect-error.js";
import { newBrowser } from "../../support/people.js";
import { anna, bert, ids, JUNE, june, prepare, programId, report, service } from "../../support/reports-of-results.js";
import { type FileRow, rowsOfBoth } from "../../support/table-rows.js";

beforeAll(prepare);

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
