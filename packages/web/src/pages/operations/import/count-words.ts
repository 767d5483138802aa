import type { operator } from "@curtail/contract";
import { counted } from "../../../format/quantity.js";

type Counts = operator.ImportCounts;

export const isNothing = ({ accounts, sites, meters, enrolments }: Counts): boolean =>
  accounts + sites + meters + enrolments === 0;

/** `2 accounts, 3 sites, 4 meters`, without zeros. */
export const countWords = ({ accounts, sites, meters, enrolments }: Counts): string =>
  [
    ...(accounts === 0 ? [] : [counted(accounts, "account")]),
    ...(sites === 0 ? [] : [counted(sites, "site")]),
    ...(meters === 0 ? [] : [counted(meters, "meter")]),
    ...(enrolments === 0 ? [] : [counted(enrolments, "enrolment")]),
  ].join(", ") || "nothing";
