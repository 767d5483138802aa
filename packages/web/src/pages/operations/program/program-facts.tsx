import { DEFAULT_STATUS_LIMITS } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { percent } from "../../../format/quantity.js";
import { duration, exact } from "../../../format/time.js";
import { baselineWords } from "../../../rules/baseline.js";
import { type Program, typeWords } from "../../../rules/program-draft.js";
import { Facts } from "../../../ui/card.js";

export const ProgramFacts = ({ program }: { readonly program: Program }) => (
  <Facts
    facts={[
      [say("Kind"), typeWords[program.program_type]],
      [say("Market"), program.market || "–"],
      [say("Time zone"), program.timezone],
      [say("Cut-off", {}, "of availability blocks"), cutoffWords(program.schedule_cutoff_seconds)],
      [
        say("Baseline"),
        <span key="baseline" className="break-all">
          {baselineWords(program.baseline)}
        </span>,
      ],
      [say("Holidays"), holidayWords(program)],
      [
        say("Days with tests"),
        program.tests_are_events ? say("left out of baselines", {}, "days") : say("used by baselines", {}, "days"),
      ],
      [
        say("Corrections"),
        program.corrections_days === null
          ? say("change results at any time", {}, "corrections")
          : say(
              "change results for {n, plural, one {# day} other {# days}} after the end",
              { n: program.corrections_days },
              "corrections",
            ),
      ],
      [
        say("Open-ended dispatches"),
        say("raise an alarm after {n, plural, one {# hour} other {# hours}}", { n: program.longest_open_hours }),
      ],
      [
        "OpenADR 3",
        program.public
          ? say("seen by all VENs", {}, "program")
          : say("seen by VENs of accounts that have something in it", {}, "program"),
      ],
      [say("Statuses"), limitsWords(program.status_limits)],
      ["OpenADR", openadrWords(program.openadr)],
      [say("Created", {}, "time"), exact(program.created_at, program.timezone)],
      [say("Id"), <code key="id">{program.id}</code>],
    ]}
  />
);

const holidayWords = ({ holidays, holiday_calendar, added_holidays, removed_holidays }: Program): string => {
  if (holiday_calendar === null) return holidays.length === 0 ? say("none", {}, "holidays") : holidays.join(", ");
  return say(
    "calendar {code}, {added, plural, one {# day} other {# days}} added, {removed, plural, one {# day} other {# days}} removed by hand",
    { code: holiday_calendar, added: added_holidays.length, removed: removed_holidays.length },
  );
};

const cutoffWords = (seconds: number): string =>
  seconds === 0
    ? say("none: availability blocks may start immediately", {}, "cut-off")
    : say("availability blocks must be added {duration} before they start", { duration: duration(seconds * 1000) });

const limitsWords = (limits: Program["status_limits"]): string => {
  const { amber_from, green_from, green_to, stale_seconds, least_coverage } = limits ?? DEFAULT_STATUS_LIMITS;
  const text = say(
    "well below commitment under {wellBelow}, below commitment under {below}, well above commitment over {above}, not known after {seconds} s without a reading (or twice the meter's interval, if longer) or under {coverage} coverage",
    {
      wellBelow: percent(amber_from),
      below: percent(green_from),
      above: percent(green_to),
      seconds: stale_seconds,
      coverage: percent(least_coverage),
    },
  );
  return limits === null ? say("default: {limits}", { limits: text }) : text;
};

const openadrWords = (settings: Program["openadr"]): string => {
  if (settings === null) return say("level depends on the kind of program");
  const { level, ramp_up_seconds, recovery_seconds } = settings;
  const parts = [
    say("level {level}", { level }),
    ...(ramp_up_seconds === undefined
      ? []
      : [say("ramp-up {duration}", { duration: duration(ramp_up_seconds * 1000) })]),
    ...(recovery_seconds === undefined
      ? []
      : [say("recovery {duration}", { duration: duration(recovery_seconds * 1000) })]),
  ];
  return parts.join(", ");
};
