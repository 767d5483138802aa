import type { FoundChoice } from "./finding.js";

interface Running {
  readonly id: string;
  readonly program_name: string;
  /** null: it has no end, and cannot be extended. */
  readonly end_time: string | null;
}

/** What the page of a dispatch asks to confirm when its address says so. */
export type AskedAct = { readonly end: true } | { readonly extendByMinutes: number };

/** A dispatch is extended by at most a day at once. */
const MOST_MINUTES = 1440;
const OFFERED_MINUTES = [15, 30, 60] as const;

/** `end`, or `extend-30`; null for any other text. */
export const askedAct = (text: string | undefined): AskedAct | null => {
  if (text === "end") return { end: true };
  const minutes = Number(/^extend-([1-9]\d{0,3})$/.exec(text ?? "")?.[1] ?? 0);
  return minutes >= 1 && minutes <= MOST_MINUTES ? { extendByMinutes: minutes } : null;
};

/** What can be done about the dispatches in progress by a text; each opens the confirmation that its button opens. */
export const dispatchActs = (running: readonly Running[], typed: string): readonly FoundChoice[] => {
  const minutes = minutesIn(typed);
  return running.flatMap((dispatch) => [
    ...(dispatch.end_time === null ? [] : minutes.map((each) => extend(dispatch, each))),
    end(dispatch),
    notNotified(dispatch),
  ]);
};

/** The number at the end of `extend Peak relief by 45 min`, else those of the buttons. */
const minutesIn = (typed: string): readonly number[] => {
  const said = /\bby\s+(\d{1,4})\s*(?:m|min|minutes?)?\s*$/i.exec(typed)?.[1];
  const minutes = Number(said ?? 0);
  return minutes >= 1 && minutes <= MOST_MINUTES ? [minutes] : OFFERED_MINUTES;
};

const pageOf = ({ id }: Running, search: string): string =>
  `/operations/dispatches/${encodeURIComponent(id)}?${search}`;

const extend = (dispatch: Running, minutes: number): FoundChoice => ({
  id: `extend ${minutes} ${dispatch.id}`,
  label: `Extend ${dispatch.program_name} by ${minutes} min…`,
  kind: "Command",
  words: `extend ${dispatch.program_name} by ${minutes} minutes; longer, later end`,
  to: pageOf(dispatch, `do=extend-${minutes}`),
});

const end = (dispatch: Running): FoundChoice => ({
  id: `end ${dispatch.id}`,
  label: `End ${dispatch.program_name}…`,
  kind: "Command",
  words: `end ${dispatch.program_name} now; stop, cancel, change`,
  to: pageOf(dispatch, "do=end"),
});

const notNotified = (dispatch: Running): FoundChoice => ({
  id: `not notified ${dispatch.id}`,
  label: `Who was not notified of ${dispatch.program_name}`,
  kind: "Command",
  words: `not notified ${dispatch.program_name}; evidence, reach, call`,
  to: pageOf(dispatch, "tab=evidence"),
});
