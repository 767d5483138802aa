import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { beforeAll, describe, expect, test } from "vitest";
import { adminOf } from "../../app/admin-run.js";
import { newDisplayed } from "../../support/display.js";
import { anna, download, MINUS, prepare, rowsOf, service } from "../../support/downloads-of-energy.js";
import { expectError } from "../../support/expect-error.js";
import { firstOf } from "../../support/metering.js";
import { newBrowser } from "../../support/people.js";

beforeAll(prepare);
const quarter = "start_time=2026-06-10T10:00:00Z&end_time=2026-06-10T10:15:00Z";

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
