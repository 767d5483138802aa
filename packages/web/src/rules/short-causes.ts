import type { operator } from "@curtail/contract";
import { type AlarmCause, causeWords } from "@curtail/contract/lists/alarm-causes";
import { say } from "@curtail/words/page";

type Group = Pick<operator.AlarmGroup, "cause" | "dispatch" | "at_stake_kw" | "accounts" | "sites">;

/** A part of what a dispatch is short. */
export interface ShortCause {
  /** null: what no alarm explains. */
  readonly cause: AlarmCause | null;
  /** Of accounts or sites. */
  readonly number: number;
  readonly kw: number;
}

/**
 * What a dispatch is short by cause, as its alarms explain it; the rest is of the other accounts. The parts add up to what it is
 * short, also while the figures of alarms are some seconds older.
 *
 * @param accounts of the dispatch; null: not known
 */
export const shortCauses = (
  groups: readonly Group[],
  { id, shortKw, accounts }: { readonly id: string; readonly shortKw: number; readonly accounts: number | null },
): readonly ShortCause[] => {
  const causes: ShortCause[] = [];
  let leftKw = shortKw;
  let explained = 0;
  for (const group of groups) {
    const words = causeWords(group.cause);
    const kw = Math.min(leftKw, group.at_stake_kw ?? 0);
    if (group.dispatch?.id !== id || words === null || kw <= 0) continue;
    causes.push({ cause: group.cause as AlarmCause, number: group[`${words.of}s`], kw });
    leftKw -= kw;
    if (words.of === "account") explained += group.accounts;
  }
  if (leftKw < LEAST_KW) return causes;
  const others = accounts === null ? 0 : Math.max(0, accounts - explained);
  return [...causes, { cause: null, number: others, kw: leftKw }];
};

/** Less is noise of meters. */
const LEAST_KW = 0.5;

/** `30 accounts not notified`. */
export const countedCause = (cause: AlarmCause, n: number): string => {
  switch (cause) {
    case "not_notified":
      return say("{n, plural, one {# account} other {# accounts}} not notified", { n });
    case "opted_out":
      return say("{n, plural, one {# site} other {# sites}} opted out", { n });
    case "not_acknowledged":
      return say("{n, plural, one {# account} other {# accounts}} did not acknowledge", { n });
    case "no_readings":
      return say("{n, plural, one {# site} other {# sites}} without readings", { n });
  }
};

/** A cause in words; `isOnly`: no other is shown with it. */
export const shortCauseWords = ({ cause, number: n }: ShortCause, isOnly: boolean): string => {
  if (cause !== null) return countedCause(cause, n);
  return isOnly
    ? say("{n, plural, one {# account} other {# accounts}}", { n })
    : say("{n, plural, one {the other # account} other {the other # accounts}}", { n });
};
