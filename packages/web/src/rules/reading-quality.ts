import type { SitePerformanceDetail } from "@curtail/contract";
import { dispatchedUntil, isDispatchedIn } from "./judged.js";

type Detail = Pick<SitePerformanceDetail, "curve" | "state" | "start_time" | "end_time" | "measured_until">;

/**
 * How good the readings during a dispatch are, compared with earlier versions of its result:
 * `Of 120 intervals of 30 s, 10 arrived late and 2 are missing.` null if there is nothing to say.
 */
export const readingWords = (detail: Detail): string | null => {
  const isDispatched = isDispatchedIn(detail.start_time, dispatchedUntil(detail));
  const qualities = detail.curve.filter(isDispatched).flatMap(({ quality }) => quality ?? []);
  const parts = (
    [
      ["late", "arrived late", "arrived late"],
      ["corrected", "was corrected", "were corrected"],
      ["gap", "is missing", "are missing"],
    ] as const
  ).flatMap(([quality, one, many]) => {
    const count = qualities.filter((each) => each === quality).length;
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  });
  if (parts.length === 0) return null;
  const last = parts.pop() ?? "";
  return `Of ${qualities.length} intervals of 30 s, ${parts.length === 0 ? last : `${parts.join(", ")} and ${last}`}.`;
};
