import { Temporal } from "../format/temporal.js";

/** Adds months to `2026-11`. */
export const monthAfter = (month: string, months: number): string =>
  Temporal.PlainYearMonth.from(month).add({ months }).toString();
