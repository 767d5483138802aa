import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { energy, percent, power } from "../format/quantity.js";
import { titleOf } from "./alarm-group.js";

type Drawn = Omit<operator.ShiftReportDraft, "previous">;
type Alarms = Drawn["alarms"]["items"][number];
type Reported = Drawn["dispatches"]["items"][number];

/** Sections of a report, in its order, with the member of their note. */
export const shiftSections = [
  ["dispatches", say("Dispatches"), "dispatches_note"],
  ["alarms", say("Alarms"), "alarms_note"],
  ["calls", say("Phone calls"), "calls_note"],
  ["changes", say("Changes"), "changes_note"],
  ["next", say("Next 24 hours"), "next_note"],
] as const;

export type ShiftTexts = Readonly<Record<"summary" | (typeof shiftSections)[number][2], string>>;

export const noShiftTexts: ShiftTexts = {
  summary: "",
  dispatches_note: "",
  alarms_note: "",
  calls_note: "",
  changes_note: "",
  next_note: "",
};

/** Only its texts. */
export const textsOf = (report: ShiftTexts): ShiftTexts => ({
  summary: report.summary,
  dispatches_note: report.dispatches_note,
  alarms_note: report.alarms_note,
  calls_note: report.calls_note,
  changes_note: report.changes_note,
  next_note: report.next_note,
});

/** What a shift was, in a sentence. */
export const shiftSentence = ({ dispatches, alarms, calls }: Drawn): string => {
  const values = { dispatches: dispatches.count, alarms: alarms.raised, calls: calls.count, open: alarms.open };
  return say(
    "{dispatches, plural, one {# dispatch} other {# dispatches}}, {alarms, plural, one {# new alarm} other {# new alarms}}, {calls, plural, one {# phone call} other {# phone calls}}; {open, plural, =0 {no alarm stands} one {# alarm still stands} other {# alarms still stand}}.",
    values,
  );
};

/** What was wrong; a report that an earlier version kept has it in English only. */
export const alarmsTitle = ({ title, cause, kind, accounts, ...alarms }: Alarms): string =>
  cause === null || kind === null
    ? title
    : titleOf({ ...alarms, title, cause, kind, accounts: accounts ?? 0, sites: 0 });

const states = {
  upcoming: say("upcoming"),
  active: say("in progress"),
  past: say("over", {}, "of a dispatch"),
  cancelled: say("cancelled"),
  voided: say("voided"),
} as const;

/** `in progress, issued in the shift, changed once`. */
export const stateOfDispatch = ({ state, test, record, issued, changes }: Reported): string =>
  [
    states[state],
    ...(test ? [say("test", {}, "noun")] : []),
    ...(record ? [say("record", {}, "noun")] : []),
    ...(issued ? [say("issued in the shift")] : []),
    ...(changes === 0 ? [] : [say("changed {n, plural, =1 {once} other {# times}}", { n: changes })]),
  ].join(", ");

const results = {
  none: "",
  pending: say("result pending"),
  final: say("final", {}, "result"),
  approved: say("approved", {}, "result"),
} as const;

/** What it delivered, as far as that is known. */
export const deliveredWords = ({ delivered_kw, delivered_kwh, performance, result }: Reported): string =>
  [
    ...(delivered_kw === null ? [] : [power(delivered_kw)]),
    ...(delivered_kwh === null ? [] : [energy(delivered_kwh)]),
    ...(performance === null ? [] : [percent(performance)]),
    ...(results[result] === "" ? [] : [results[result]]),
  ].join(", ") || "–";

/** `4 of 6`; a dash if nobody is to be notified. */
export const notifiedWords = ({
  accounts,
  accounts_notified,
}: Pick<Reported, "accounts" | "accounts_notified">): string =>
  accounts === null || accounts_notified === null ? "–" : say("{n} of {all}", { n: accounts_notified, all: accounts });
