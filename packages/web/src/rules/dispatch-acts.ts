import { say } from "@curtail/words/page";
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
  return running.flatMap((dispatch) => [
    ...(dispatch.end_time === null ? [] : minutesIn(typed, dispatch).map((each) => extend(dispatch, each))),
    end(dispatch),
    notNotified(dispatch),
  ]);
};

/** The number of `extend Peak relief by 45 min`, wherever a language has it, else those of the buttons. */
const minutesIn = (typed: string, { program_name }: Running): readonly number[] => {
  // The name of a program may have a number of its own.
  const rest = typed.toLowerCase().replace(program_name.toLowerCase(), " ");
  const minutes = Number(/(?:^|\s)(\d{1,4})(?=$|\s|m)/.exec(rest)?.[1] ?? 0);
  return minutes >= 1 && minutes <= MOST_MINUTES ? [minutes] : OFFERED_MINUTES;
};

const pageOf = ({ id }: Pick<Running, "id">, search: string): string =>
  `/operations/dispatches/${encodeURIComponent(id)}?${search}`;

// Besides their words in the language of the page, the English ones find them: people know them from the commands of the API.
const extend = ({ program_name: program, ...dispatch }: Running, minutes: number): FoundChoice => ({
  id: `extend ${minutes} ${dispatch.id}`,
  label: say("Extend {program} by {minutes} min…", { program, minutes }),
  kind: "Command",
  words: `extend ${program} by ${minutes} minutes; ${say("extend {program} by {minutes} minutes; longer, later end", { program, minutes }, "words that find a command")}`,
  to: pageOf(dispatch, `do=extend-${minutes}`),
});

const end = ({ program_name: program, ...dispatch }: Running): FoundChoice => ({
  id: `end ${dispatch.id}`,
  label: say("End {program}…", { program }, "verb"),
  kind: "Command",
  words: `end ${program} now; ${say("end {program} now; stop, cancel, change", { program }, "words that find a command")}`,
  to: pageOf(dispatch, "do=end"),
});

const notNotified = ({ program_name: program, ...dispatch }: Running): FoundChoice => ({
  id: `not notified ${dispatch.id}`,
  label: say("Who was not notified of {program}", { program }),
  kind: "Command",
  words: `not notified ${program}; ${say("not notified {program}; evidence, reach, call", { program }, "words that find a command")}`,
  to: pageOf(dispatch, "tab=evidence"),
});
