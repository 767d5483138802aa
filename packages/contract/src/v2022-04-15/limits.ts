/** Interval rules of telemetry (specification "Limits"). */
export const INTERVAL_STEP_SECONDS = 30;
export const MAX_INTERVAL_SECONDS = 300;
/** Largest power of a reading, of either sign, in kW (G27). */
export const MAX_POWER_KW = 10_000_000;
/** Longest validity of a controllable load reading (G28). */
export const MAX_CONTROLLABLE_LOAD_SECONDS = 86_400;
/** Intervals that GET /telemetry/kw offers (G24). */
export const READ_INTERVALS_SECONDS = [30, 60, 300, 900, 1800, 3600, 21_600] as const;
