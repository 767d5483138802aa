import type { SitePerformanceDetail } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { joined } from "../format/and.js";
import { dispatchedUntil, isDispatchedIn } from "./judged.js";

type Detail = Pick<SitePerformanceDetail, "curve" | "state" | "start_time" | "end_time" | "measured_until">;

/**
 * How good the readings during a dispatch are, compared with earlier versions of its result:
 * `Of 120 intervals of 30 s, 10 arrived late and 2 are missing.` null if there is nothing to say.
 */
export const readingWords = (detail: Detail): string | null => {
  const isDispatched = isDispatchedIn(detail.start_time, dispatchedUntil(detail));
  const qualities = detail.curve.filter(isDispatched).flatMap(({ quality }) => quality ?? []);
  const countOf = (wanted: (typeof qualities)[number]) => qualities.filter((each) => each === wanted).length;
  const [late, corrected, missing] = [countOf("late"), countOf("corrected"), countOf("gap")];
  const parts = [
    ...(late === 0 ? [] : [say("{n, plural, one {# arrived late} other {# arrived late}}", { n: late })]),
    ...(corrected === 0 ? [] : [say("{n, plural, one {# was corrected} other {# were corrected}}", { n: corrected })]),
    ...(missing === 0 ? [] : [say("{n, plural, one {# is missing} other {# are missing}}", { n: missing })]),
  ];
  if (parts.length === 0) return null;
  return say("Of {n} intervals of 30 s, {parts}.", { n: qualities.length, parts: joined(parts) });
};
