import type { DaysExplanation } from "@curtail/contract";
import { pageWords, say } from "@curtail/words/page";

type Day = DaysExplanation["later_days"][number];
type Choice = Omit<Day, "reason">;

/** Which days are comparable, and which of them make the baseline. */
export const choiceWords = ({ pool, filled_with, chosen, chosen_by_interval, distances, event_day_type }: Choice) => {
  const pooled = dayTypes[event_day_type](pool.length);
  const picked =
    distances !== null
      ? say(
          "{n, plural, one {The # day whose load is nearest to that of the day of the dispatch are chosen; the baseline is their average.} other {The # days whose load is nearest to that of the day of the dispatch are chosen; the baseline is their average.}}",
          { n: chosen?.length ?? 0 },
        )
      : chosen_by_interval !== null
        ? say(
            "For each interval, the days with the highest load at that time of day are chosen; the baseline is their average.",
          )
        : say(
            "{n, plural, one {# of them was chosen, and the baseline is their average load at each time of day.} other {# of them were chosen, and the baseline is their average load at each time of day.}}",
            { n: chosen?.length ?? 0 },
          );
  const filled =
    filled_with.length === 0
      ? []
      : [
          say(
            "{n, plural, one {# day of them had another dispatch: there were too few others.} other {# days of them had another dispatch: there were too few others.}}",
            { n: filled_with.length },
          ),
        ];
  return [pooled, ...filled, ...(pool.length === 0 ? [] : [picked])];
};

const dayTypes: Readonly<Record<Day["event_day_type"], (n: number) => string>> = {
  weekday: (n) =>
    say(
      "{n, plural, one {# day before this weekday is comparable.} other {# days before this weekday are comparable.}}",
      { n },
    ),
  saturday: (n) =>
    say(
      "{n, plural, one {# day before this saturday is comparable.} other {# days before this saturday are comparable.}}",
      { n },
    ),
  sunday: (n) =>
    say(
      "{n, plural, one {# day before this sunday is comparable.} other {# days before this sunday are comparable.}}",
      { n },
    ),
  holiday: (n) =>
    say(
      "{n, plural, one {# day before this holiday is comparable.} other {# days before this holiday are comparable.}}",
      { n },
    ),
};

type Dropped = DaysExplanation["dropped"][number];

/** Why a day is in no pool: as the service writes it, in English, or the same in the language of the page without its figures. */
export const droppedWords = ({ reason, why }: Dropped): string => {
  if (pageWords().language === "en") return why;
  switch (reason) {
    case "holiday":
      return say("a holiday");
    case "other_day_type":
      return say("another type of day");
    case "excluded":
      return say("excluded by hand: {reason}", { reason: why.replace(/^excluded by hand: /, "") });
    case "event_day":
      return say("another dispatch took place on this day");
    case "incomplete":
      return say("readings are missing");
    case "low_usage":
      return say("the load in the event period is below the limit");
  }
};
