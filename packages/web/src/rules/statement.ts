import type { Statement, StatementItem } from "@curtail/contract";
import { pageWords, say } from "@curtail/words/page";
import { statementWords } from "@curtail/words/statement-words";
import { decimal } from "../format/quantity.js";

type Change = Statement["versions"][number]["changes"][number];
type Line = Statement["sites"][number]["lines"][number];

/** An amount with its currency, never rounded. */
export const money = (amount: string, currency: string): string => `${decimal(amount)} ${currency}`;

/** Totals in one line; a dash if they are not shown. */
export const totalWords = (totals: StatementItem["totals"]): string =>
  totals === null ? "–" : totals.map(({ total, currency }) => money(total, currency)).join(" + ") || say("nothing");

export const stateWords: Readonly<Record<Statement["state"], string>> = {
  provisional: say("Provisional"),
  complete: say("Complete"),
  approved: say("Approved"),
};

export const stateTones = { provisional: "warn", complete: "info", approved: "good" } as const;

export const stateExplanations: Readonly<Record<Statement["state"], string>> = {
  provisional: say("It changes until the month is over and the results of its dispatches are final."),
  complete: say("All results are final. Corrections still change the statement, until it is approved."),
  approved: say("It no longer changes. Later changes are listed with it."),
};

export const kindWords: Readonly<Record<Line["kind"], string>> = {
  capacity: say("Capacity"),
  energy: say("Energy"),
  penalty: say("Penalty"),
  cap: say("Limit"),
};

/** What a line is for, or what changed, in the language of the page. */
export const explained = (stored: string): string => statementWords(pageWords(), stored, decimal);

/** `Energy, Northgate Store 12: 4.00 → 2.00 USD (result version 1 → 2)`. */
export const changeWords = ({ kind, site_name, from, to, currency, words }: Change): string => {
  if (site_name === null) return sentence(explained(words));
  const what = `${kind === null ? say("Site") : kindWords[kind]}, ${site_name}`;
  const none = say("none", {}, "amount");
  const amountOf = (value: string | null) => (value === null ? none : decimal(value));
  const amounts = from === to ? `${amountOf(from)} ${currency}` : `${amountOf(from)} → ${amountOf(to)} ${currency}`;
  return `${what}: ${amounts} (${explained(words)})`;
};

const sentence = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);

/** Whether the newest version may be approved: it is no approved one, and the month is over in every time zone. */
export const mayApprove = ({ month, versions }: Pick<Statement, "month" | "versions">, now: Date): boolean => {
  const [year = 0, number = 0] = month.split("-").map(Number);
  const isOver = now.getTime() >= Date.UTC(year, number) + 12 * 3_600_000;
  return isOver && versions.at(-1)?.reason !== "approved";
};

/** The month before a day's, `YYYY-MM`. */
export const monthBefore = (now: Date): string =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1)).toISOString().slice(0, 7);
