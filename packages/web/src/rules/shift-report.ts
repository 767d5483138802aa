import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { counted, energy, percent, power } from "../format/quantity.js";

type Drawn = Omit<operator.ShiftReportDraft, "previous">;
type Reported = Drawn["dispatches"]["items"][number];

/** Sections of a report, in its order, with the member of their note. */
export const shiftSections = [
  ["dispatches", "Dispatches", "dispatches_note"],
  ["alarms", "Alarms", "alarms_note"],
  ["calls", say("Phone calls"), "calls_note"],
  ["changes", "Changes", "changes_note"],
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
  const happened = [
    counted(dispatches.count, "dispatch", "dispatches"),
    counted(alarms.raised, "new alarm"),
    counted(calls.count, "phone call"),
  ];
  return `${happened.join(", ")}; ${leftWords(alarms.open)}.`;
};

const leftWords = (open: number): string => {
  if (open === 0) return say("no alarm stands");
  return `${counted(open, "alarm")} still ${open === 1 ? "stands" : "stand"}`;
};

const states = {
  upcoming: "upcoming",
  active: "in progress",
  past: "over",
  cancelled: "cancelled",
  voided: "voided",
} as const;

/** `in progress, issued in the shift, changed once`. */
export const stateOfDispatch = ({ state, test, record, issued, changes }: Reported): string =>
  [
    states[state],
    ...(test ? ["test"] : []),
    ...(record ? ["record"] : []),
    ...(issued ? ["issued in the shift"] : []),
    ...(changes === 0 ? [] : [`changed ${changes === 1 ? "once" : `${changes} times`}`]),
  ].join(", ");

const results = { none: "", pending: "result pending", final: "final", approved: "approved" } as const;

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
  accounts === null || accounts_notified === null ? "–" : `${accounts_notified} of ${accounts}`;
