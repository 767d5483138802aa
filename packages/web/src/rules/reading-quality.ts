import type { SitePerformanceDetail } from "@curtail/contract";
import { say } from "@curtail/words/page";
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
      ["late", say("arrived late"), say("arrived late")],
      ["corrected", say("was corrected"), say("were corrected")],
      ["gap", say("is missing"), say("are missing")],
    ] as const
  ).flatMap(([quality, one, many]) => {
    const count = qualities.filter((each) => each === quality).length;
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  });
  if (parts.length === 0) return null;
  const last = parts.pop() ?? "";
  return `Of ${qualities.length} intervals of 30 s, ${parts.length === 0 ? last : `${parts.join(", ")} and ${last}`}.`;
};
