import { readFile } from "node:fs/promises";
import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { adminOf } from "../../app/admin-run.js";
import { performanceOf } from "../../support/measuring.js";
import { bert, ids, JUNE, june, prepare, programId, report, service } from "../../support/reports-of-results.js";
import { askedOf } from "../../support/table-rows.js";

beforeAll(prepare);

const sorted = (some: readonly unknown[][]): unknown[][] =>
  some.toSorted(([a], [b]) => String(a).localeCompare(String(b)));

describe("a report over the dispatches of a period", () => {
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
});
