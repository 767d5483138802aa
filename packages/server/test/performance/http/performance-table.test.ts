import { downloadDispatchTable, operator } from "@curtail/contract";
import { parse } from "csv-parse/sync";
import { beforeAll, describe, expect, test } from "vitest";
import { enableDisplay } from "../../support/display.js";
import { expectError } from "../../support/expect-error.js";
import {
  dispatchBetween,
  intervalsBetween,
  type MeasuredProgram,
  measuredProgram,
  performanceOf,
  sitePerformanceOf,
  untilVersions,
  uploadIntervals,
} from "../../support/measuring.js";
import { newBrowser } from "../../support/people.js";
import { type Participant, type Running, running } from "../../support/running.js";
import { downloaded, type FileRow, rowsOfBoth } from "../../support/table-rows.js";

let service: Running;

const START = "2026-06-10T18:10:00Z";
const END = "2026-06-10T19:20:00Z";
const minute = (minutes: number): string => new Date(Date.parse(START) + minutes * 60_000).toISOString();
const at = (minutes: number): void => service.clock.set(new Date(minute(minutes)));
const pathOf = (id: string, query = "") => `/operator/v1/dispatches/${id}/performance/table${query}`;

beforeAll(async () => {
  service = await running();
});

interface Dispatched {
  readonly id: string;
  readonly anna: Participant;
  readonly bert: Participant;
  /** Uploads load of a participant's site between two minutes after the start. */
  readonly load: (of: Participant, from: number, to: number, kw: number, site?: number) => Promise<void>;
}

const rowsOf = (csv: string): FileRow[] => parse<FileRow>(csv, { columns: true });

const METER_BEFORE = { method: { kind: "meter_before", seconds: 900, anchor: "start" } };

const load: Dispatched["load"] = (of, from, to, kw, site = 0) =>
  uploadIntervals(
    of,
    of.sites[site]?.meters[0] ?? "",
    intervalsBetween([minute(from), minute(to)], 30, () => kw),
  );

/** Two sites of one account and one of another, whose load before the dispatch was 100 kW. */
const enrolled = async (settings: MeasuredProgram = {}) => {
  at(0);
  const anna = await service.newParticipant({ sites: [["main"], ["main"]] });
  const bert = await service.newParticipant({ sites: [["main"]] });
  for (const [of, site] of [
    [anna, 0],
    [anna, 1],
    [bert, 0],
  ] as const)
    await load(of, -130, 0, 100, site);
  const programId = await measuredProgram(service, [anna, bert], {
    baseline: METER_BEFORE,
    commitment: 40,
    ...settings,
  });
  return { anna, bert, load, dispatch: () => dispatchBetween(service, programId, [START, END]) };
};

const dispatched = async (settings: MeasuredProgram = {}): Promise<Dispatched> => {
  const { dispatch, ...found } = await enrolled(settings);
  return { ...found, id: await dispatch() };
};

/** A dispatch recorded later, final: the first site of the first account by 1/3 kW less, the second without readings from minute 20 to 40. */
const measured = async (settings: MeasuredProgram = {}): Promise<Dispatched> => {
  const { dispatch, ...found } = await enrolled(settings);
  const { anna, bert, load } = found;
  at(131);
  await load(anna, 0, 130, 100 - 1 / 3);
  await load(anna, 0, 20, 60, 1);
  await load(anna, 40, 130, 60, 1);
  await load(bert, 0, 130, 120);
  at(5 * 60);
  const id = await dispatch();
  await untilVersions(service, id, 1);
  return { ...found, id };
};

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

  test("marks what came late and what was corrected, in the file and in the curve", async () => {
    const { id, anna, load } = await measured();
    const siteId = anna.sites[1]?.id ?? "";
    await load(anna, 20, 30, 55, 1);
    await untilVersions(service, id, 2);
    await load(anna, 0, 5, 61, 1);
    await load(anna, 25, 30, 56, 1);
    await untilVersions(service, id, 3);
    const qualityOf = async (query: string) => {
      const text = await (await downloaded(service, pathOf(id, `?interval_seconds=300${query}`))).text();
      const rows = rowsOf(text).filter((row) => row["site_id"] === siteId);
      return rows.map((row) => String(row["quality"])[0]).join("");
    };
    expect(await qualityOf("&version=1")).toBe("mmmmggggmmmmmm");
    expect(await qualityOf("&version=2")).toBe("mmmmllggmmmmmm");
    expect(await qualityOf("")).toBe("cmmmlcggmmmmmm");
    const others = await rowsOfBoth(service, pathOf(id));
    expect(others.parquet.filter((row) => row["site_id"] !== siteId).map((row) => row["quality"])).toEqual(
      Array.from({ length: 28 }, () => "measured"),
    );
    const { curve } = await sitePerformanceOf(service, id, siteId);
    const qualities = Object.fromEntries(
      [1, 21, 26, 31].map((minutes) => [
        minutes,
        curve.find(({ timestamp }: { timestamp: string }) => Date.parse(timestamp) === Date.parse(minute(minutes)))
          .quality,
      ]),
    );
    expect(qualities).toEqual({ 1: "corrected", 21: "late", 26: "corrected", 31: "gap" });
  });

  test("while the dispatch runs is that of now, without what is not due", async () => {
    const { id, anna, load } = await dispatched();
    at(12);
    await load(anna, 0, 12, 60);
    await performanceOf(service, id);
    const response = await downloaded(service, pathOf(id));
    expect(response.headers.get("content-disposition")).toBe(`attachment; filename="${id}-live-300s.csv"`);
    const rows = rowsOf(await response.text());
    const own = rows.filter((row) => row["site_id"] === anna.sites[0]?.id);
    expect(own.map((row) => [row["version"], row["timestamp"], row["seconds"], row["quality"]])).toEqual([
      ["", "2026-06-10T18:15:00Z", "300", "measured"],
      ["", "2026-06-10T18:20:00Z", "300", "measured"],
      ["", "2026-06-10T18:22:00Z", "120", "measured"],
    ]);
    const { curve } = await sitePerformanceOf(service, id, anna.sites[0]?.id ?? "");
    expect(curve.at(-1)).toMatchObject({ load_kw: null, quality: null });
  });

  test("of a dispatch whose results were withdrawn is that of an earlier version", async () => {
    const { id } = await measured();
    await service.made(operator.changeDispatch, {
      params: { id },
      body: { authorized: false, void_reason: "by mistake" },
    });
    expectError(await service.operator(operator.downloadAnyDispatchTable, { params: { id } }), 404, /withdrawn/);
    const { parquet } = await rowsOfBoth(service, pathOf(id, "?version=1"));
    expect(parquet).toHaveLength(42);
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
