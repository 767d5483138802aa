import { clock, clockWithSeconds, dayOf, monthOf } from "../format/time.js";

const DAY_SECONDS = 86_400;

/** Labels of the time axis: clocks with the day below where it changes, days, or months. */
export const tickWords = (ticks: readonly number[], stepSeconds: number, timeZone: string): string[] => {
  let before = "";
  return ticks.map((seconds) => {
    const at = new Date(seconds * 1000);
    if (stepSeconds >= 28 * DAY_SECONDS) return monthOf(at, timeZone);
    const day = dayOf(at, timeZone);
    if (stepSeconds >= DAY_SECONDS) return day;
    const time = stepSeconds < 60 ? clockWithSeconds(at, timeZone) : clock(at, timeZone);
    const words = day === before ? time : `${time}\n${day}`;
    before = day;
    return words;
  });
};
