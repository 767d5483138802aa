import { DEFAULT_STATUS_LIMITS } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { counted, percent } from "../../../format/quantity.js";
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
      [say("Cut-off"), cutoffWords(program.schedule_cutoff_seconds)],
      [
        say("Baseline"),
        <span key="baseline" className="break-all">
          {baselineWords(program.baseline)}
        </span>,
      ],
      [say("Holidays"), holidayWords(program)],
      [say("Days with tests"), program.tests_are_events ? "left out of baselines" : "used by baselines"],
      [
        say("Corrections"),
        program.corrections_days === null
          ? "change results at any time"
          : `change results for ${counted(program.corrections_days, "day")} after the end`,
      ],
      [say("Open-ended dispatches"), `raise an alarm after ${counted(program.longest_open_hours, "hour")}`],
      [say("OpenADR 3"), program.public ? "seen by all VENs" : "seen by VENs of accounts that have something in it"],
      [say("Statuses"), limitsWords(program.status_limits)],
      [say("OpenADR"), openadrWords(program.openadr)],
      [say("Created"), exact(program.created_at, program.timezone)],
      [say("Id"), <code key="id">{program.id}</code>],
    ]}
  />
);

const holidayWords = ({ holidays, holiday_calendar, added_holidays, removed_holidays }: Program): string => {
  if (holiday_calendar === null) return holidays.length === 0 ? "none" : holidays.join(", ");
  const corrected = [added_holidays, removed_holidays].map(({ length }) => counted(length, "day"));
  return `calendar ${holiday_calendar}, ${corrected[0]} added, ${corrected[1]} removed by hand`;
};

const cutoffWords = (seconds: number): string =>
  seconds === 0
    ? "none: availability blocks may start immediately"
    : `availability blocks must be added ${duration(seconds * 1000)} before they start`;

const limitsWords = (limits: Program["status_limits"]): string => {
  const { amber_from, green_from, green_to, stale_seconds, least_coverage } = limits ?? DEFAULT_STATUS_LIMITS;
  const text = `well below commitment under ${percent(amber_from)}, below commitment under ${percent(green_from)}, well above commitment over ${percent(green_to)}, not known after ${stale_seconds} s without a reading (or twice the meter's interval, if longer) or under ${percent(least_coverage)} coverage`;
  return limits === null ? `default: ${text}` : text;
};

const openadrWords = (settings: Program["openadr"]): string => {
  if (settings === null) return say("level depends on the kind of program");
  const { level, ramp_up_seconds, recovery_seconds } = settings;
  const parts = [
    `level ${level}`,
    ...(ramp_up_seconds === undefined ? [] : [`ramp-up ${duration(ramp_up_seconds * 1000)}`]),
    ...(recovery_seconds === undefined ? [] : [`recovery ${duration(recovery_seconds * 1000)}`]),
  ];
  return parts.join(", ");
};
