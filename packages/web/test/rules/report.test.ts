import { describe, expect, test } from "vitest";
import { reportPeriod } from "../../src/rules/report-period.js";
import {
  leftOutWords,
  nextSorting,
  type ReportRow,
  rowName,
  sortedRows,
  sortingOf,
} from "../../src/rules/report-rows.js";

const TODAY = "2026-11-23";
const days = (search: Parameters<typeof reportPeriod>[0], today = TODAY) => {
  const period = reportPeriod(search, today);
  return period === null ? null : `${period.from} ${period.to}`;
};

describe("the period of a report", () => {
  test("is this month unless the address says otherwise", () => {
    expect(days({})).toBe("2026-11-01 2026-11-30");
    expect(days({ period: "nonsense" })).toBe("2026-11-01 2026-11-30");
    expect(days({}, "2026-12-31")).toBe("2026-12-01 2026-12-31");
    expect(days({ period: "last-month" }, "2026-01-15")).toBe("2025-12-01 2025-12-31");
    expect(days({ period: "last-month" }, "2028-03-31")).toBe("2028-02-01 2028-02-29");
    expect(days({ period: "year" })).toBe("2026-01-01 2026-12-31");
  });

  test("of a season is the latest that has begun", () => {
    expect(days({ period: "summer" })).toBe("2026-06-01 2026-09-30");
    expect(days({ period: "summer" }, "2026-06-01")).toBe("2026-06-01 2026-09-30");
    expect(days({ period: "summer" }, "2026-05-31")).toBe("2025-06-01 2025-09-30");
    expect(days({ period: "winter" })).toBe("2025-12-01 2026-02-28");
    expect(days({ period: "winter" }, "2027-12-01")).toBe("2027-12-01 2028-02-29");
  });

  test("may be any two days in order", () => {
    expect(days({ period: "custom", from: "2026-06-10", to: "2026-06-10" })).toBe("2026-06-10 2026-06-10");
    expect(days({ period: "custom", from: "2026-06-10", to: "2026-06-09" })).toBeNull();
    expect(days({ period: "custom", from: "2026-02-30", to: "2026-06-09" })).toBeNull();
    expect(days({ period: "custom", from: "2026-06-10" })).toBeNull();
    // Days that were typed before another period was chosen do not count.
    expect(days({ period: "year", from: "2020-01-01", to: "2020-01-02" })).toBe("2026-01-01 2026-12-31");
  });
});

const row = (site_name: string | null, performance: number | null): ReportRow =>
  ({
    site_name,
    site_id: "site_1",
    performance,
    without_baseline: 0,
    cancelled: 0,
    voided: 0,
    not_final: 0,
  }) as ReportRow;

describe("the rows of a report", () => {
  const rows = [row("Mill", 0.5), row("Dairy", null), row("Works", 1.1), row("Bakery", 0.9)];
  const namesBy = (sort: string | undefined) => sortedRows(rows, sortingOf(sort, ["name", "performance"])).map(rowName);

  test("are sorted as the address says, what is unknown last", () => {
    expect(namesBy(undefined)).toEqual(["Bakery", "Dairy", "Mill", "Works"]);
    expect(namesBy("-name")).toEqual(["Works", "Mill", "Dairy", "Bakery"]);
    expect(namesBy("performance")).toEqual(["Mill", "Bakery", "Works", "Dairy"]);
    expect(namesBy("-performance")).toEqual(["Works", "Bakery", "Mill", "Dairy"]);
    expect(namesBy("-unknown")).toEqual(["Bakery", "Dairy", "Mill", "Works"]);
  });

  test("begin with the highest number when a head is clicked, then with the lowest", () => {
    expect(nextSorting("performance", { by: "name", descending: false })).toBe("-performance");
    expect(nextSorting("performance", { by: "performance", descending: true })).toBe("performance");
    expect(nextSorting("name", { by: "performance", descending: true })).toBe("name");
    expect(nextSorting("name", { by: "name", descending: false })).toBe("-name");
  });

  test("say which calls are in no figure, and are named by id without a name", () => {
    expect(leftOutWords(row("Mill", 1))).toBe("");
    expect(leftOutWords({ ...row("Mill", 1), cancelled: 2, not_final: 1 })).toBe("2 cancelled, 1 not final");
    expect(rowName({ ...row(null, 1), program_name: null, account_name: null })).toBe("site_1");
  });
});
