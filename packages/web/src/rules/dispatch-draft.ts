import type { BodyOf, operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { fromLocalInput } from "../format/local-time.js";

export type DispatchBody = BodyOf<typeof operator.createDispatch>;

/** A dispatch in the form. Times are local to the program. */
export interface DispatchDraft {
  readonly programId: string;
  readonly sites: "all" | "group" | "chosen";
  readonly group: string;
  readonly chosen: ReadonlySet<string>;
  /** `now`, or `at` a time. */
  readonly start: "now" | "at";
  readonly startLocal: string;
  /** Minutes after the start, `open`, or `at` a time. */
  readonly end: string;
  readonly endLocal: string;
  readonly test: boolean;
}

/** A draft and the callback for changes. */
export interface Filling {
  readonly draft: DispatchDraft;
  readonly onChange: (draft: DispatchDraft) => void;
}

export const OPEN = "open";

export const emptyDraft = (programId: string): DispatchDraft => ({
  programId,
  sites: "all",
  group: "",
  chosen: new Set(),
  start: "now",
  startLocal: "",
  end: "60",
  endLocal: "",
  test: false,
});

/** The period of a draft, with a fault by field. */
export interface Times {
  readonly start: Date | null;
  /** null: open-ended or invalid. */
  readonly end: Date | null;
  readonly startFault: string | null;
  readonly endFault: string | null;
}

/** The period of the dispatch if it were issued now. */
export const timesOf = (draft: DispatchDraft, timeZone: string, now: Date): Times => {
  const start = draft.start === "now" ? now : fromLocalInput(draft.startLocal, timeZone);
  const startFault = start === null ? faultOf(draft.startLocal, timeZone) : null;
  if (draft.end === OPEN) return { start, end: null, startFault, endFault: null };
  if (draft.end !== "at") {
    const end = start === null ? null : new Date(start.getTime() + Number(draft.end) * 60_000);
    return { start, end, startFault, endFault: null };
  }
  const end = fromLocalInput(draft.endLocal, timeZone);
  if (end === null) return { start, end, startFault, endFault: faultOf(draft.endLocal, timeZone) };
  const isLater = start === null || end > start;
  return { start, end, startFault, endFault: isLater ? null : say("The end must be after the start.") };
};

const LONG_AGO_MS = 60_000;

/** Whether the start is in the past, with a minute of tolerance for dispatches that start now. */
export const hasBegun = (start: Date, now: Date): boolean => now.getTime() - start.getTime() > LONG_AGO_MS;

/** Fault of an empty field or of a time that the clocks skip. */
export const faultOf = (local: string, timeZone: string): string =>
  local === ""
    ? say("Choose a date and time.")
    : say("This time does not exist on that day in {zone}, because the clocks go forward. Choose another.", {
        zone: timeZone,
      });

/** A site that can be dispatched. */
export interface DispatchableSite {
  readonly id: string;
  readonly name: string;
  readonly account: string;
  readonly group: string;
  readonly commitmentKw: number | null;
}

/** The sites that the draft targets. */
export const calledSites = (draft: DispatchDraft, sites: readonly DispatchableSite[]): readonly DispatchableSite[] => {
  if (draft.sites === "all") return sites;
  if (draft.sites === "group") return sites.filter(({ group }) => group === draft.group);
  return sites.filter(({ id }) => draft.chosen.has(id));
};

/** The request body; null while the draft is incomplete. */
export const bodyOf = (draft: DispatchDraft, sites: readonly DispatchableSite[], times: Times): DispatchBody | null => {
  const { start, end, startFault, endFault } = times;
  const called = calledSites(draft, sites);
  if (start === null || startFault !== null || endFault !== null || called.length === 0) return null;
  return {
    program_id: draft.programId,
    start_time: start.toISOString(),
    end_time: end?.toISOString() ?? null,
    test: draft.test,
    ...(draft.sites === "all" ? {} : { sites: called.map(({ id }) => ({ site_id: id })) }),
  };
};
