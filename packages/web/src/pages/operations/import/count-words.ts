import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";

type Counts = operator.ImportCounts;

export const isNothing = ({ accounts, sites, meters, enrolments }: Counts): boolean =>
  accounts + sites + meters + enrolments === 0;

/** `2 accounts, 3 sites, 4 meters`, without zeros. */
export const countWords = ({ accounts, sites, meters, enrolments }: Counts): string =>
  [
    ...(accounts === 0 ? [] : [say("{n, plural, one {# account} other {# accounts}}", { n: accounts })]),
    ...(sites === 0 ? [] : [say("{n, plural, one {# site} other {# sites}}", { n: sites })]),
    ...(meters === 0 ? [] : [say("{n, plural, one {# meter} other {# meters}}", { n: meters })]),
    ...(enrolments === 0 ? [] : [say("{n, plural, one {# enrolment} other {# enrolments}}", { n: enrolments })]),
  ].join(", ") || say("nothing");
