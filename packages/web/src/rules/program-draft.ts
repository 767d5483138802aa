import type { operator } from "@curtail/contract";
import { DEFAULT_STATUS_LIMITS, LONGEST_OPEN_HOURS } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { type BaselineDraft, baselineDraft, baselineOf } from "./baseline.js";

export type Program = operator.Program;

/** The settings of a program in the form: times in minutes, ratios in percent. */
export interface ProgramDraft extends BaselineDraft {
  readonly name: string;
  readonly timezone: string;
  readonly market: string;
  readonly program_type: Program["program_type"];
  readonly cutoff: string;
  readonly level: "" | "1" | "2";
  readonly ramp_up: string;
  readonly recovery: string;
  readonly holidays: string;
  /** Code of a calendar; empty: `holidays` are made by hand. */
  readonly holiday_calendar: string;
  readonly added_holidays: string;
  readonly removed_holidays: string;
  readonly testsAreEvents: boolean;
  readonly corrections_days: string;
  readonly longest_open_hours: string;
  readonly isPublic: boolean;
  readonly ownLimits: boolean;
  readonly amber_from: string;
  readonly green_from: string;
  readonly green_to: string;
  readonly stale_seconds: string;
  readonly least_coverage: string;
}

export const typeWords: Readonly<Record<Program["program_type"], string>> = {
  capacity: say("Capacity"),
  ancillary_services: say("Ancillary services"),
  energy: say("Energy"),
  peak_saver: say("Peak saver"),
  utility_interruptible_rate: say("Utility interruptible rate"),
  utility_program: say("Utility program"),
  not_specified: say("Not specified"),
};

/** Levels of the signal of OpenADR 2.0a. */
export const levelWords: Readonly<Record<NonNullable<Program["openadr"]>["level"], string>> = {
  1: say("1: short event"),
  2: say("2: long event"),
};

const share = (ratio: number): string => String(Math.round(ratio * 10_000) / 100);

const limitsDraft = (limits: typeof DEFAULT_STATUS_LIMITS) => ({
  amber_from: share(limits.amber_from),
  green_from: share(limits.green_from),
  green_to: share(limits.green_to),
  stale_seconds: String(limits.stale_seconds),
  least_coverage: share(limits.least_coverage),
});

export const newProgramDraft: ProgramDraft = {
  name: "",
  // Asked for.
  timezone: "",
  market: "",
  program_type: "capacity",
  cutoff: "0",
  level: "",
  ramp_up: "",
  recovery: "",
  ...baselineDraft(null),
  holidays: "",
  holiday_calendar: "",
  added_holidays: "",
  removed_holidays: "",
  testsAreEvents: true,
  corrections_days: "",
  longest_open_hours: String(LONGEST_OPEN_HOURS),
  isPublic: false,
  ownLimits: false,
  ...limitsDraft(DEFAULT_STATUS_LIMITS),
};

export const draftOf = (program: Program): ProgramDraft => ({
  name: program.name,
  timezone: program.timezone,
  market: program.market,
  program_type: program.program_type,
  cutoff: minutes(program.schedule_cutoff_seconds),
  level: program.openadr === null ? "" : program.openadr.level === 1 ? "1" : "2",
  ramp_up: minutes(program.openadr?.ramp_up_seconds),
  recovery: minutes(program.openadr?.recovery_seconds),
  ...baselineDraft(program.baseline),
  holidays: program.holidays.join("\n"),
  holiday_calendar: program.holiday_calendar ?? "",
  added_holidays: program.added_holidays.join("\n"),
  removed_holidays: program.removed_holidays.join("\n"),
  testsAreEvents: program.tests_are_events,
  corrections_days: String(program.corrections_days ?? ""),
  longest_open_hours: String(program.longest_open_hours),
  isPublic: program.public,
  ownLimits: program.status_limits !== null,
  ...limitsDraft(program.status_limits ?? DEFAULT_STATUS_LIMITS),
});

const minutes = (seconds: number | undefined): string => (seconds === undefined ? "" : String(seconds / 60));
const seconds = (typed: string): number => Math.round(Number(typed) * 60);

/** The request body. */
export const settingsOf = (draft: ProgramDraft) => ({
  name: draft.name.trim(),
  timezone: draft.timezone.trim(),
  market: draft.market.trim(),
  program_type: draft.program_type,
  schedule_cutoff_seconds: seconds(draft.cutoff),
  openadr: openadrOf(draft),
  baseline: baselineOf(draft),
  ...holidaysOf(draft),
  tests_are_events: draft.testsAreEvents,
  corrections_days: draft.corrections_days === "" ? null : Number(draft.corrections_days),
  longest_open_hours: Number(draft.longest_open_hours),
  public: draft.isPublic,
  status_limits: draft.ownLimits ? limitsOf(draft) : null,
});

const holidaysOf = ({ holiday_calendar, holidays, added_holidays, removed_holidays }: ProgramDraft) => {
  const code = holiday_calendar.trim();
  if (code === "") return { holiday_calendar: null, holidays: datesIn(holidays) };
  return {
    holiday_calendar: code,
    added_holidays: datesIn(added_holidays),
    removed_holidays: datesIn(removed_holidays),
  };
};

const datesIn = (typed: string): string[] => typed.split(/[\s,;]+/).filter((day) => day !== "");

const openadrOf = ({ level, ramp_up, recovery }: ProgramDraft): Program["openadr"] =>
  level === ""
    ? null
    : {
        level: level === "1" ? 1 : 2,
        ...(ramp_up === "" ? {} : { ramp_up_seconds: seconds(ramp_up) }),
        ...(recovery === "" ? {} : { recovery_seconds: seconds(recovery) }),
      };

const limitsOf = (draft: ProgramDraft): Program["status_limits"] => ({
  amber_from: Number(draft.amber_from) / 100,
  green_from: Number(draft.green_from) / 100,
  green_to: Number(draft.green_to) / 100,
  stale_seconds: Number(draft.stale_seconds),
  least_coverage: Number(draft.least_coverage) / 100,
});
