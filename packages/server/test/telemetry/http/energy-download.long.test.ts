import { get, type IncomingMessage } from "node:http";
import { auth, operator } from "@curtail/contract";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { newDisplayed } from "../../support/display.js";
import { anna, authorization, download, pathOf, prepare, rowsOf, service } from "../../support/downloads-of-energy.js";
import { expectError } from "../../support/expect-error.js";
import { firstOf } from "../../support/metering.js";
import { newBrowser } from "../../support/people.js";

beforeAll(prepare);

describe("a download", () => {
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
