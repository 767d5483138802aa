import type { SitePerformance } from "@curtail/contract";
import { pageWords, say } from "@curtail/words/page";
import { power } from "../format/quantity.js";

type Quality = NonNullable<SitePerformance["quality"]>;

/** How far a result can be relied on, in sentences: those of the service, which are English, or the same in the language of the page. */
export const qualityWords = (quality: Quality): readonly string[] => {
  if (pageWords().language === "en") return quality.words;
  const { decision, reason, gap_days, gap_gain_kw } = quality;
  return [
    ...(decision === null ? [] : [decisionWords(decision)]),
    ...(decision !== null || reason === null || reason === "decided" ? [] : [reasons[reason]]),
    ...(gap_days.length === 0 ? [] : [gapWords(gap_days.length, gap_gain_kw)]),
  ];
};

const reasons: Readonly<Record<Exclude<Quality["reason"], "decided" | null>, string>> = {
  readings_missing: say("It counts as not delivered: readings of the site are missing."),
  too_new: say("It is not judged: the site has been enrolled for fewer days than its method needs."),
  no_baseline: say("It is not judged: there is no baseline, for a reason that is not the site's."),
};

/** How a site counts by a decision. */
export const countsWords: Readonly<Record<NonNullable<Quality["decision"]>["counts"], string>> = {
  not_judged: say("not judged", {}, "site"),
  not_delivered: say("counted as not delivered", {}, "site"),
};

const decisionWords = ({ counts, reason }: NonNullable<Quality["decision"]>): string =>
  counts === "not_judged"
    ? say("An operator decided that it is not judged: {reason}", { reason })
    : say("An operator decided that it is counted as not delivered: {reason}", { reason });

const gapWords = (days: number, gainKw: number | null): string => {
  const values = { days, kw: power(Math.abs(gainKw ?? 0)) };
  if (gainKw === null)
    return say("{days} days of the look-back were left out since readings of the site are missing.", values);
  if (Math.abs(gainKw) < 0.05)
    return say(
      "{days} days of the look-back were left out since readings of the site are missing; with them, the baseline would be the same.",
      values,
    );
  return gainKw > 0
    ? say(
        "{days} days of the look-back were left out since readings of the site are missing; with them, the baseline would be {kw} lower.",
        values,
      )
    : say(
        "{days} days of the look-back were left out since readings of the site are missing; with them, the baseline would be {kw} higher.",
        values,
      );
};
