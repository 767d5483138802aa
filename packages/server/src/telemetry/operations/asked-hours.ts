import type { MeterKey } from "@curtail/measure";
import type { Hours } from "../domain/hours.js";

/** Meters, and periods that follow each other. */
export interface AskedHours {
  readonly meters: readonly MeterKey[];
  readonly periods: readonly Hours[];
}
