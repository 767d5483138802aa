import type { operator } from "@curtail/contract";
import { SILENT_MINUTES } from "@curtail/contract/constants";
import { knownSum } from "./known-sum.js";

type Meters = Pick<operator.OperatorSite, "meters">;

/** Time of the newest reading of a site's meters; null if there is none. */
export const lastReadingOf = ({ meters }: Meters): string | null =>
  meters.reduce<string | null>(
    (newest, { last_reading }) =>
      last_reading !== null && (newest === null || last_reading.timestamp > newest) ? last_reading.timestamp : newest,
    null,
  );

/** Sum of the newest readings of a site's meters, however old; null if there are none. */
export const lastPowerOf = ({ meters }: Meters): number | null =>
  knownSum(meters.map(({ last_reading }) => last_reading?.value ?? null));

/** Whether the last reading is too old, or there was none. */
export const isSilent = (lastReadingAt: string | null, now: Date): boolean =>
  lastReadingAt === null || now.getTime() - Date.parse(lastReadingAt) > SILENT_MINUTES * 60_000;
