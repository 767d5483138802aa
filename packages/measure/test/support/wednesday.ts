/** A dispatch on a Wednesday, from 14:00 to 18:00 in New York, two hours after its notification. */
export const wednesday = {
  startMs: Date.parse("2026-07-15T18:00:00Z"),
  endMs: Date.parse("2026-07-15T22:00:00Z"),
  notificationMs: Date.parse("2026-07-15T16:00:00Z"),
  timezone: "America/New_York",
  holidays: [],
  eventDays: [],
};
