import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import { performanceOf, sitePerformanceOf, untilVersions } from "../../support/measuring.js";
import { downloaded, rowsOfBoth } from "../../support/table-rows.js";
import {
  at,
  dispatched,
  measured,
  minute,
  pathOf,
  prepare,
  rowsOf,
  service,
} from "../../support/tables-of-dispatches.js";

beforeAll(prepare);

describe("the table of a dispatch", () => {
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
});
