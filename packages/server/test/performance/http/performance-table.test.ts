import { downloadDispatchTable, operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { enableDisplay } from "../../support/display.js";
import { expectError } from "../../support/expect-error.js";
import { dispatchBetween, measuredProgram, performanceOf, untilVersions } from "../../support/measuring.js";
import { newBrowser } from "../../support/people.js";
import type { Participant } from "../../support/running.js";
import { downloaded, type FileRow, rowsOfBoth } from "../../support/table-rows.js";
import {
  at,
  dispatched,
  END,
  METER_BEFORE,
  measured,
  pathOf,
  prepare,
  rowsOf,
  START,
  service,
} from "../../support/tables-of-dispatches.js";

beforeAll(prepare);

const sumOf = (rows: readonly FileRow[], column: string): number =>
  rows.reduce((sum, row) => sum + Number(row[column] ?? 0), 0);

const programWith = (participant: Participant) =>
  measuredProgram(service, [participant], { baseline: METER_BEFORE, commitment: 40 });

describe("the table of a dispatch", () => {
  test("has the same numbers as CSV and as Parquet, and those of the result", async () => {
    const { id, anna, bert } = await measured({ timezone: "Asia/Kolkata" });
    await service.made(operator.changeSite, { params: { id: anna.sites[0]?.id ?? "" }, body: { name: "later name" } });
    const { csv, parquet } = await rowsOfBoth(service, pathOf(id, "?interval_seconds=1800"));
    expect(parquet).toEqual(csv);
    const { sites } = await performanceOf(service, id);
    const expected = [...anna.sites, ...bert.sites].map((site) => site.id);
    // 18:10 is 23:40 in the program's zone: three intervals of half an hour, the first and the last of 20 minutes.
    expect(parquet.map((row) => [row["site_id"], row["local_time"], row["seconds"]])).toEqual(
      expected.flatMap((site) => [
        [site, "2026-06-11T00:00:00+05:30", 1200],
        [site, "2026-06-11T00:30:00+05:30", 1800],
        [site, "2026-06-11T00:50:00+05:30", 1200],
      ]),
    );
    for (const site of sites) {
      const rows = parquet.filter((row) => row["site_id"] === site.site_id);
      expect(rows[0]).toMatchObject({ site_name: site.name, account_id: site.account_id, version: 1 });
      expect(sumOf(rows, "reduction_kwh")).toBeCloseTo(site.delivered_energy_kwh, 9);
      expect(sumOf(rows, "intervals_missing")).toBe(site.cells_expected - site.cells_present);
    }
    expect(parquet[0]).toMatchObject({ baseline_kw: 100, target_kw: 60, coverage: 1, quality: "measured" });
    expect(parquet[0]?.["load_kw"]).toBeCloseTo(100 - 1 / 3, 9);
    expect(parquet[0]?.["reduction_kw"]).toBeCloseTo(sites[0].mean_reduction_kw, 9);
    expect(parquet.slice(3, 6).map((row) => [row["quality"], row["intervals_missing"], row["coverage"]])).toEqual([
      ["measured", 0, 1],
      ["partial", 40, 0.3333333333],
      ["measured", 0, 1],
    ]);
  });

  test("leaves what is not known empty, and takes no name for a formula", async () => {
    const { id, anna, bert, load } = await dispatched({ commitment: null });
    const [site] = bert.sites;
    await service.made(operator.changeSite, { params: { id: site?.id ?? "" }, body: { name: "=1+1" } });
    // The name of a site in a dispatch is that of its creation.
    const later = await dispatchBetween(service, await programWith(bert), [START, END]);
    at(60 * 5);
    await load(anna, 0, 130, 60);
    await untilVersions(service, id, 1);
    await untilVersions(service, later, 1);
    const text = await (await downloaded(service, pathOf(later, "?interval_seconds=3600"))).text();
    const [header, row] = text.split("\r\n");
    expect(header).toBe(
      "dispatch_id,version,site_id,site_name,account_id,timestamp,local_time,seconds,load_kw,baseline_kw,target_kw," +
        "reduction_kw,reduction_kwh,coverage,quality,intervals_missing,intervals_late,intervals_corrected",
    );
    expect(row).toBe(
      `${later},1,${site?.id},"'=1+1",${bert.accountId},2026-06-10T19:00:00Z,2026-06-10T19:00:00+00:00,3000,` +
        ",,,,,0,gap,100,0,0",
    );
    const rows = rowsOf(await (await downloaded(service, pathOf(id))).text());
    expect(rows).toHaveLength(3 * 14);
    expect(rows[0]).toMatchObject({ target_kw: "", reduction_kw: "40" });
  });

  test("shows a participant its own sites only, to its system and to its users", async () => {
    const { id, anna, bert } = await measured();
    const own = `/2022-04-15/dispatches/${id}/performance/table?interval_seconds=900`;
    const { csv, parquet } = await rowsOfBoth(service, own, { "X-Service-API-Key": bert.key });
    expect(parquet).toEqual(csv);
    const operators = await rowsOfBoth(service, pathOf(id, "?interval_seconds=900"));
    const theirs = operators.parquet.filter((row) => row["account_id"] === bert.accountId);
    expect(theirs).toHaveLength(6);
    expect(parquet).toEqual(theirs.map(({ account_id: _account, ...row }) => row));

    const person = await newBrowser(service, "participant-viewer", anna.accountId);
    const shown = async () => {
      const path = `/console/v1/dispatches/${id}/performance/table?interval_seconds=900`;
      const response = await downloaded(service, path, { cookie: `curtail_session=${person.token}` });
      const rows = rowsOf(await response.text());
      return [...new Set(rows.map((row) => row["site_id"]))];
    };
    expect(await shown()).toEqual([]);
    await enableDisplay(service, anna);
    expect(await shown()).toEqual(anna.sites.map((site) => site.id));
    const stranger = await service.newParticipant();
    expectError(await stranger.call(downloadDispatchTable, { params: { id } }), 404, /dispatch/);
  });

  test.for([
    ["?interval_seconds=60", 400],
    ["?format=xlsx", 400],
    ["?version=7", 404],
  ] as const)("is refused with %s", async ([query, status]) => {
    const { id } = await dispatched();
    expectError(await service.operator("GET", `/dispatches/${id}/performance/table${query}`), status, /./);
  });
});
