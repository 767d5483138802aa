import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { daysAfter } from "../format/local-time.js";
import { reportPeriod } from "./report-period.js";

type Result = operator.DispatchResult;

/** Parameters of the address that choose past dispatches. */
export interface PastSearch {
  readonly program?: string;
  readonly account?: string;
  readonly site?: string;
  readonly period?: string;
  /** Days of a custom period. */
  readonly from?: string;
  readonly to?: string;
  readonly tests?: string;
  readonly order?: string;
}

export const pastPeriods = [
  { value: "", label: say("All time") },
  { value: "7", label: say("Last 7 days") },
  { value: "30", label: say("Last 30 days") },
  { value: "90", label: say("Last 90 days") },
  { value: "summer", label: say("Summer, Jun–Sep") },
  { value: "winter", label: say("Winter, Dec–Feb") },
  { value: "year", label: say("This year") },
  { value: "custom", label: say("From … to …") },
] as const;

/** The days of an address; either may be open. Days in the wrong order are left out. */
export const pastDays = (
  { period = "", from, to }: PastSearch,
  today: string,
): { readonly from?: string; readonly to?: string } => {
  if (period === "") return {};
  if (period === "custom") {
    const days = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    return from !== undefined && to !== undefined && to < from ? {} : days;
  }
  const days = Number(period);
  if (Number.isInteger(days)) return { from: daysAfter(today, 1 - days) };
  return reportPeriod({ period }, today) ?? {};
};

/** The query of an address. */
export const pastQuery = (search: PastSearch, today: string) => ({
  ...pastDays(search, today),
  ...(search.program !== undefined && { program_id: search.program }),
  ...(search.account !== undefined && { account_id: search.account }),
  ...(search.site !== undefined && { site_id: search.site }),
  ...(search.tests === "only" && { tests: "only" as const }),
  ...(search.tests === "excluded" && { tests: "excluded" as const }),
  ...(search.order === "oldest" && { order: "oldest" as const }),
});

/** The state of a result in words. */
export const resultWords = ({ state, version }: Pick<Result, "state" | "version">): string => {
  switch (state) {
    case "pending":
      return say("Not final yet");
    case "final":
      return say("Final, version {version}", { version: version ?? 1 });
    case "approved":
      return say("Approved, version {version}", { version: version ?? 1 });
    case "cancelled":
      return say("Cancelled");
    case "voided":
      return say("Voided");
  }
};

/** Whether the accounts of a dispatch were reached: `3 of 4`, or in words for one, or where nobody was to be. */
export const reachedWords = ({
  accounts,
  reached_accounts,
  record,
}: Pick<Result, "accounts" | "reached_accounts" | "record">): string => {
  if (record) return say("Recorded");
  if (accounts === 1) return reached_accounts === 1 ? say("Reached") : say("Not reached");
  return say("{n} of {all}", { n: reached_accounts, all: accounts });
};

/** A column of the comparison that its rows are sorted by. */
export type ComparedBy = "start_time" | "commitment_kw" | "mean_reduction_kw" | "performance" | "sites" | "coverage";

const comparedColumns: readonly ComparedBy[] = [
  "start_time",
  "commitment_kw",
  "mean_reduction_kw",
  "performance",
  "sites",
  "coverage",
];

/** A sorting of the address: `performance`, or `-performance` for the highest first. Default: in order of time. */
export const comparison = (sort: string | undefined): { readonly by: ComparedBy; readonly descending: boolean } => {
  const descending = sort?.startsWith("-") === true;
  const by = comparedColumns.find((each) => each === (descending ? sort?.slice(1) : sort));
  return by === undefined ? { by: "start_time", descending: false } : { by, descending };
};

/** Unknown values last, whichever way. */
export const comparedResults = (results: readonly Result[], sort: string | undefined): Result[] => {
  const { by, descending } = comparison(sort);
  const sign = descending ? -1 : 1;
  return results.toSorted((a, b) => {
    const [one, other] = [a[by], b[by]];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return sign * (one < other ? -1 : one > other ? 1 : 0);
  });
};

/** The height of a full bar: the most that was committed or delivered, at least something. */
export const highestKw = (results: readonly Result[]): number =>
  Math.max(1, ...results.flatMap(({ commitment_kw, mean_reduction_kw }) => [commitment_kw, mean_reduction_kw ?? 0]));
