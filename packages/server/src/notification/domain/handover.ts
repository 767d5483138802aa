const firstDelaysSeconds = [5, 15, 30, 60] as const;
const LATER_DELAY_SECONDS = 120;
const MAX_HOURS = 6;
/** Failures after which a person should look at the receiver. */
export const ALARMING_HANDOVERS = 3;

/** Delay after a number of failures to hand a message over; null once it is six hours old: then a person has heard otherwise. */
export const handoverDelayAfterMs = (failures: number, ageMs: number): number | null =>
  ageMs >= MAX_HOURS * 3_600_000 ? null : (firstDelaysSeconds[failures - 1] ?? LATER_DELAY_SECONDS) * 1000;

export const isAlarmingHandover = (failures: number): boolean => failures >= ALARMING_HANDOVERS;

/** What is wrong with the message itself; any other status may pass, or is a fault of the settings. */
const refusals: readonly number[] = [400, 410, 413, 422];
export const isRefusingStatus = (status: number | null): boolean => status !== null && refusals.includes(status);
