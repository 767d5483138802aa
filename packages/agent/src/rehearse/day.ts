import { dayOfDate, type LocalTime } from "@curtail/measure";

/** A dispatch of the day that is played. */
export interface DayDispatch {
  readonly id: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Share of the site's load that is committed; null: as much as possible. */
  readonly share: number | null;
}

export type DayAct =
  /** Announces a dispatch, or changes the one with its id. */
  | { readonly kind: "dispatch"; readonly dispatch: DayDispatch }
  | { readonly kind: "cancel"; readonly id: string }
  | { readonly kind: "contact" | "power"; readonly isThere: boolean }
  /** The machine's clock is set: how far it is ahead from then on. */
  | { readonly kind: "clock"; readonly aheadMs: number }
  /** Time that has come: the agent is not notified. */
  | { readonly kind: "time" };

export interface DayEvent {
  readonly atMs: number;
  readonly title: string;
  readonly act: DayAct;
}

export interface Day {
  readonly fromMs: number;
  readonly toMs: number;
  /** In the order of time. */
  readonly events: readonly DayEvent[];
}

const [SECOND_MS, MINUTE_MS, DAY_MS] = [1_000, 60_000, 86_400_000];
/** So long before its first event and after its last one a day is played, if that is beyond midnight. */
const MARGIN_MS = 30 * MINUTE_MS;
const TIME = { kind: "time" } as const;

/** The day that is played: always the same by the clock of the site, and with the change of clocks that the date has. */
export const dayOf = (date: string, time: LocalTime): Day => {
  const day = dayOfDate(date);
  const [beginsMs, endsMs] = [time.startOf(day) * SECOND_MS, time.startOf(day + 1) * SECOND_MS];
  const at = (clock: string): number => instantOf(day, clock, time);
  const changeMs = clockChangeIn(beginsMs, endsMs, time);
  const events = [
    ...(changeMs === null ? [] : nightEvents(changeMs, time)),
    ...morningEvents(at),
    ...afternoonEvents(at),
    ...eveningEvents(at),
  ].toSorted((a, b) => a.atMs - b.atMs);
  const [firstMs, lastMs] = [events[0]?.atMs ?? beginsMs, events.at(-1)?.atMs ?? endsMs];
  return { fromMs: Math.min(beginsMs, firstMs - MARGIN_MS), toMs: Math.max(endsMs, lastMs + MARGIN_MS), events };
};

type At = (clock: string) => number;

const nightEvents = (changeMs: number, time: LocalTime): readonly DayEvent[] => {
  const [startMs, endMs] = [changeMs - 30 * MINUTE_MS, changeMs + 60 * MINUTE_MS];
  const night = { id: "night", startMs, endMs, share: 0.25 };
  const [before, after] = [changeMs - SECOND_MS, changeMs].map((ms) => clockOf(ms, time));
  return [
    announced(changeMs - 60 * MINUTE_MS, night, "The night dispatch is announced: over the change of clocks"),
    { atMs: startMs, title: "The night dispatch starts", act: TIME },
    { atMs: changeMs, title: `The clocks of the site are changed: after ${before} comes ${after}`, act: TIME },
    { atMs: endMs, title: "The night dispatch ends, an hour and a half after its start", act: TIME },
  ];
};

const morningEvents = (at: At): readonly DayEvent[] => {
  const morning = { id: "morning", startMs: at("10:00"), endMs: at("12:00"), share: 0.25 };
  const changed = { ...morning, endMs: at("12:30"), share: 0.375 };
  return [
    announced(at("09:00"), morning, "The morning dispatch is announced: 10:00 to 12:00"),
    { atMs: morning.startMs, title: "The morning dispatch starts", act: TIME },
    announced(at("10:30"), changed, "The morning dispatch is changed: half as much again, until 12:30"),
    { atMs: changed.endMs, title: "The morning dispatch ends", act: TIME },
    announced(
      at("13:00"),
      { id: "noon", startMs: at("13:30"), endMs: at("15:00"), share: 0.25 },
      "The noon dispatch is announced: 13:30 to 15:00",
    ),
    { atMs: at("13:30"), title: "The noon dispatch starts", act: TIME },
    { atMs: at("14:00"), title: "The noon dispatch is cancelled", act: { kind: "cancel", id: "noon" } },
  ];
};

const afternoonEvents = (at: At): readonly DayEvent[] => [
  announced(
    at("15:00"),
    { id: "afternoon", startMs: at("15:30"), endMs: at("18:30"), share: 0.25 },
    "The afternoon dispatch is announced: 15:30 to 18:30",
  ),
  { atMs: at("15:30"), title: "The afternoon dispatch starts", act: TIME },
  { atMs: at("16:00"), title: "Contact with the service is lost", act: { kind: "contact", isThere: false } },
  { atMs: at("17:30"), title: "The service answers again", act: { kind: "contact", isThere: true } },
  { atMs: at("18:30"), title: "The afternoon dispatch ends", act: TIME },
];

const eveningEvents = (at: At): readonly DayEvent[] => [
  announced(
    at("19:00"),
    { id: "evening", startMs: at("19:30"), endMs: at("21:30"), share: null },
    "The evening dispatch is announced: 19:30 to 21:30, as much as possible",
  ),
  { atMs: at("19:30"), title: "The evening dispatch starts", act: TIME },
  { atMs: at("20:15"), title: "Power is cut; devices keep what they hold", act: { kind: "power", isThere: false } },
  { atMs: at("20:45"), title: "Power is back: the agent starts", act: { kind: "power", isThere: true } },
  { atMs: at("21:30"), title: "The evening dispatch ends", act: TIME },
  { atMs: at("22:00"), title: "The machine's clock is set 2 minutes ahead", act: { kind: "clock", aheadMs: 120_000 } },
  { atMs: at("22:20"), title: "The machine's clock is set right again", act: { kind: "clock", aheadMs: 0 } },
];

const announced = (atMs: number, dispatch: DayDispatch, title: string): DayEvent => ({
  atMs,
  title,
  act: { kind: "dispatch", dispatch },
});

/** The instant of a clock time of a day: the first one where clocks repeat it, as much later as they skip where they skip it. */
const instantOf = (day: number, clock: string, time: LocalTime): number => {
  const [hour = 0, minute = 0] = clock.split(":").map(Number);
  const seconds = hour * 3600 + minute * 60;
  const near = time.startOf(day) + seconds;
  const instant = near + seconds - time.secondOfDay(near);
  return (instant + Math.max(0, seconds - time.secondOfDay(instant))) * SECOND_MS;
};

/**
 * When the offset of local time from UTC changes on a day, which lasts longer or shorter for it; null: it does not. In some zones
 * a day begins with the change, in Greenland the last hour of a day is skipped.
 */
const clockChangeIn = (beginsMs: number, endsMs: number, time: LocalTime): number | null => {
  let [before, after] = [beginsMs / SECOND_MS - 1, endsMs / SECOND_MS];
  const offset = offsetAt(before, time);
  if (endsMs - beginsMs === DAY_MS || offset === offsetAt(after, time)) return null;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(middle, time) === offset) before = middle;
    else after = middle;
  }
  return after * SECOND_MS;
};

const offsetAt = (seconds: number, time: LocalTime): number =>
  time.dayOf(seconds) * 86_400 + time.secondOfDay(seconds) - seconds;

/** `HH:MM:SS` */
export const clockOf = (ms: number, time: LocalTime): string =>
  new Date(time.secondOfDay(Math.floor(ms / SECOND_MS)) * SECOND_MS).toISOString().slice(11, 19);

/** The next day on which clocks change, or tomorrow where they never do. */
export const nextDayOfInterest = (nowMs: number, time: LocalTime): number => {
  const today = time.dayOf(Math.floor(nowMs / SECOND_MS));
  for (let day = today; day < today + 366; day++) if (time.startOf(day + 1) - time.startOf(day) !== 86_400) return day;
  return today + 1;
};
