import { describe, expect, test } from "vitest";
import { chartCsv } from "../../src/chart/csv.js";
import { fileName } from "../../src/format/file-name.js";

const at = (iso: string) => new Date(iso);

describe("a downloaded curve", () => {
  const chart = {
    timestamps: ["2026-07-14T05:00:30Z", "2026-07-14T05:01:00Z"],
    unit: "kW",
    curves: [
      { label: "Load", colour: "chart-1", values: [1.5, null] },
      { label: '=1+1, "x"', colour: "chart-2", values: [2, 3] },
    ],
  } as const;

  test("has the end of each interval in UTC, and nothing where there is no reading", () => {
    expect(chartCsv(chart, null).split("\r\n")).toEqual([
      `timestamp,Load (kW),"'=1+1, ""x"" (kW)"`,
      "2026-07-14T05:00:30Z,1.5,2",
      "2026-07-14T05:01:00Z,,3",
      "",
    ]);
  });

  test("has the part that is shown", () => {
    const seconds = Date.parse(chart.timestamps[1]) / 1000;
    expect(chartCsv(chart, { min: seconds, max: seconds + 60 }).split("\r\n")).toHaveLength(3);
  });

  test("is named by the site and its local day, from midnight to midnight", () => {
    const day = { start: at("2026-07-14T05:00:00Z"), end: at("2026-07-15T05:00:00Z") };
    expect(fileName("Harbor Cold Storage", day, "America/Chicago")).toBe("harbor-cold-storage-2026-07-14");
    expect(fileName("Harbor Cold Storage", day, "UTC")).toBe("harbor-cold-storage-2026-07-14-to-2026-07-15");
    expect(fileName("Kühlhaus № 2 / Süd", day, "America/Chicago")).toBe("kühlhaus-no-2-süd-2026-07-14");
    expect(fileName("../..", day, "America/Chicago")).toBe("2026-07-14");
  });
});
