import { get, type IncomingMessage } from "node:http";
import { auth, operator } from "@curtail/contract";
import { parse } from "csv-parse/sync";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { adminOf } from "../../app/admin-run.js";
import { newDisplayed } from "../../support/display.js";
import { expectError } from "../../support/expect-error.js";
import { intervalsBetween, uploadIntervals } from "../../support/measuring.js";
import { firstOf } from "../../support/metering.js";
import { newBrowser } from "../../support/people.js";
import { OPERATOR_TOKEN, type Participant, type Running, running } from "../../support/running.js";

let service: Running;
let anna: Participant;

const MINUS = '-solar, "roof"';

beforeAll(async () => {
  service = await running();
  service.clock.set(new Date("2026-06-10T12:00:00Z"));
  anna = await newDisplayed(service, { name: "Zoë's Mühle", sites: [["main", MINUS]] });
  const meters = anna.sites[0]?.meters ?? [];
  await upload(meters[0], ["2026-06-10T10:00:00Z", "2026-06-10T10:10:00Z"], () => 0.1);
  await upload(meters[1], ["2026-06-10T10:00:00Z", "2026-06-10T10:05:00Z"], () => -12.5);
  await upload(meters[1], ["2026-06-10T10:05:00Z", "2026-06-10T10:06:00Z"], () => 3);
});

const upload = (meter: string | undefined, between: readonly [string, string], kwAt: (endMs: number) => number) =>
  uploadIntervals(anna, meter ?? "", intervalsBetween(between, 30, kwAt));

const authorization = `Bearer ${OPERATOR_TOKEN}`;
const quarter = "start_time=2026-06-10T10:00:00Z&end_time=2026-06-10T10:15:00Z";
const pathOf = (siteId: string, query: string) => `/operator/v1/sites/${siteId}/energy/download?${query}`;

const download = async (query: string, siteId = firstOf(anna).siteId): Promise<Response> => {
  const response = await fetch(service.url + pathOf(siteId, query), { headers: { authorization } });
  expect(response.status).toBe(200);
  return response;
};

const rowsOf = (csv: string): Array<Record<string, string>> => parse(csv, { columns: true });

const expected = () => {
  const [main = "", solar = ""] = anna.sites[0]?.meters ?? [];
  return [
    ["2026-06-10T10:05:00Z", main, "main", 0.1, 0.0083333333, 1],
    ["2026-06-10T10:10:00Z", main, "main", 0.1, 0.0083333333, 1],
    ["2026-06-10T10:15:00Z", main, "main", null, null, 0],
    ["2026-06-10T10:05:00Z", solar, MINUS, -12.5, -1.0416666667, 1],
    ["2026-06-10T10:10:00Z", solar, MINUS, 3, 0.05, 0.2],
    ["2026-06-10T10:15:00Z", solar, MINUS, null, null, 0],
  ] as const;
};

describe("a download", () => {
  test("as CSV has a row for each meter and cell, in which no name is a formula", async () => {
    const response = await download(quarter);
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("content-disposition")).toMatch(
      /^attachment; filename="zoe-s-muhle-site-1-energy-2026-06-10-to-2026-06-10-300s\.csv"$/,
    );
    const text = await response.text();
    expect(text.split("\r\n")[0]).toBe("timestamp,meter_id,meter_name,power_kw,energy_kwh,coverage,charge_kwh");
    const values = rowsOf(text).map((row) => Object.values(row));
    const shown = expected().map(([at, id, name, ...numbers]) => [
      at,
      id,
      name === MINUS ? `'${MINUS}` : name,
      ...numbers.map((value) => (value === null ? "" : String(value))),
      "",
    ]);
    expect(values).toEqual(shown);
  });

  test("as Parquet has the same rows, with moments that are moments", async () => {
    const response = await download(`${quarter}&format=parquet`);
    expect(response.headers.get("content-type")).toBe("application/vnd.apache.parquet");
    expect(response.headers.get("content-disposition")).toMatch(/300s\.parquet"$/);
    const file = await response.arrayBuffer();
    const rows = await parquetReadObjects({ file });
    expect(rows.map((row) => Object.values(row))).toEqual(
      expected().map(([at, ...rest]) => [new Date(at), ...rest, null]),
    );
    const { schema } = parquetMetadata(file);
    expect(schema.slice(1).map(({ name, type }) => [name, type])).toEqual([
      ["timestamp", "INT64"],
      ["meter_id", "BYTE_ARRAY"],
      ["meter_name", "BYTE_ARRAY"],
      ["power_kw", "DOUBLE"],
      ["energy_kwh", "DOUBLE"],
      ["coverage", "DOUBLE"],
      ["charge_kwh", "DOUBLE"],
    ]);
    expect(schema[1]?.logical_type).toMatchObject({ type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" });
  });

  test.for(["=1+1", "+1", "-1", "@sum", "＝1", " =1"])("takes no meter named %s for a formula", async (name) => {
    const { siteId } = firstOf(await newDisplayed(service, { sites: [[name]] }));
    const [row] = rowsOf(await (await download(quarter, siteId)).text());
    expect(row?.["meter_name"]).toBe(`'${name}`);
    const [same] = await parquetReadObjects({
      file: await (await download(`${quarter}&format=parquet`, siteId)).arrayBuffer(),
    });
    expect(same?.["meter_name"]).toBe(name);
  });

  test("of days has the site's local days", async () => {
    const { siteId } = firstOf(await newDisplayed(service));
    await service.made(operator.changeSite, {
      params: { id: siteId },
      body: { timezone: "America/New_York", name: "水車" },
    });
    const days = "start_time=2026-03-08T05:00:00Z&end_time=2026-03-10T04:00:00Z&interval_seconds=86400";
    const response = await download(days, siteId);
    const name = `${siteId}-energy-2026-03-08-to-2026-03-09-86400s.csv`;
    expect(response.headers.get("content-disposition")).toBe(`attachment; filename="${name}"`);
    const ends = rowsOf(await response.text()).map((row) => row["timestamp"]);
    expect(ends).toEqual(["2026-03-09T04:00:00Z", "2026-03-10T04:00:00Z"]);
  });

  test("ends with now, and of the future is empty in both formats", async () => {
    const today = "start_time=2026-06-10T11:00:00Z&end_time=2026-06-11T00:00:00Z&interval_seconds=3600";
    expect(rowsOf(await (await download(today)).text())).toHaveLength(2);
    const tomorrow = "start_time=2026-06-11T00:00:00Z&end_time=2026-06-12T00:00:00Z";
    expect(rowsOf(await (await download(tomorrow)).text())).toEqual([]);
    const file = await (await download(`${tomorrow}&format=parquet`)).arrayBuffer();
    expect(await parquetReadObjects({ file })).toEqual([]);
  });

  test("of many rows is whole: every cell once, in order, in several row groups", async () => {
    const { siteId } = firstOf(await newDisplayed(service, { sites: [["one", "two"]] }));
    const month = "start_time=2026-05-01T00:00:00Z&end_time=2026-05-23T00:00:00Z&interval_seconds=30";
    const file = await (await download(`${month}&format=parquet`, siteId)).arrayBuffer();
    const cells = 22 * 2880;
    expect(parquetMetadata(file).row_groups.length).toBeGreaterThan(1);
    const rows = await parquetReadObjects({ file, columns: ["timestamp", "meter_name"] });
    const csv = rowsOf(await (await download(month, siteId)).text());
    expect([rows.length, csv.length]).toEqual([2 * cells, 2 * cells]);
    const startMs = Date.parse("2026-05-01T00:00:00Z");
    const isRight = (at: number, end: number, name: unknown) =>
      end === startMs + ((at % cells) + 1) * 30_000 && name === (at < cells ? "one" : "two");
    expect(rows.findIndex((row, at) => !isRight(at, (row["timestamp"] as Date).getTime(), row["meter_name"]))).toBe(-1);
    expect(csv.findIndex((row, at) => !isRight(at, Date.parse(row["timestamp"] ?? ""), row["meter_name"]))).toBe(-1);
  });

  test("that is too large is refused before it begins", async () => {
    const { siteId } = firstOf(await newDisplayed(service, { sites: [["one", "two", "three"]] }));
    const long = "start_time=2025-06-01T00:00:00Z&end_time=2026-06-10T00:00:00Z&interval_seconds=30&format=parquet";
    const message = /^the file would have 3231360 rows, and Parquet has at most 3000000; choose a shorter period or/;
    expectError(await service.operator("GET", `/sites/${siteId}/energy/download?${long}`), 400, message);
  });

  test.for(["interval_seconds=45", "format=xlsx"])("is refused with %s", async (query) => {
    const answer = await service.operator("GET", `/sites/${firstOf(anna).siteId}/energy/download?${query}`);
    expectError(answer, 400, /^(interval_seconds|format) is/);
  });

  test("is the same for the account's people and on the command line", async () => {
    const { siteId } = firstOf(anna);
    const viewer = await newBrowser(service, "participant-viewer", anna.accountId);
    const own = await viewer.console("GET", `/sites/${siteId}/energy/download?${quarter}`);
    const text = await (await download(quarter)).text();
    expect(own.text).toBe(text);
    const times = ["--start", "2026-06-10T10:00:00Z", "--end", "2026-06-10T10:15:00Z"];
    const ran = await adminOf(service)(["sites", "download-energy", siteId, ...times]);
    expect({ ...ran, json: null }).toMatchObject({ exitCode: 0, stderr: "", stdout: text });
    const refused = await adminOf(service)(["sites", "download-energy", "site_0"]);
    expect(refused).toMatchObject({ exitCode: 1, stdout: "", stderr: expect.stringContaining("No such site") });
  });
});

const begin = (path: string, headers: Readonly<Record<string, string>>): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get(service.url + path, { agent: false, headers }, resolve).on("error", reject);
  });

describe("a long download", () => {
  const year = "start_time=2025-06-01T00:00:00Z&end_time=2026-06-01T00:00:00Z&interval_seconds=30";

  test("is read from the database no faster than it is taken", async () => {
    const query = vi.spyOn(service.database.servicePool, "query");
    const pieces = () => query.mock.calls.filter(([first]) => Object(first).name === "stored-hours").length;
    const response = await begin(pathOf(firstOf(anna).siteId, year), { authorization });
    let before = -1;
    const hasStopped = (): boolean => {
      const isSame = before === pieces();
      before = pieces();
      return isSame && before > 0;
    };
    await expect.poll(hasStopped, { interval: 500, timeout: 20_000 }).toBe(true);
    // Two meters of 1,051,200 cells are 212 pieces; the sockets in between buffer some of them.
    expect(pieces()).toBeLessThan(60);
    response.destroy();
    query.mockRestore();
  });

  test("breaks off when the session ends, so that half a file never passes for a whole one", async () => {
    const viewer = await newBrowser(service, "participant-viewer", anna.accountId);
    const path = `/console/v1/sites/${firstOf(anna).siteId}/energy/download?${year}`;
    const response = await begin(path, { cookie: `curtail_session=${viewer.token}` });
    expect(response.statusCode).toBe(200);
    await viewer.auth(auth.signOut);
    const takeAll = async () => {
      for await (const _ of response);
    };
    await expect(takeAll()).rejects.toThrow(/aborted/);
  });
});
