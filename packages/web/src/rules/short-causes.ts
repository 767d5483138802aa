import type { operator } from "@curtail/contract";
import { causeWords } from "@curtail/contract/lists/alarm-causes";

type Group = Pick<operator.AlarmGroup, "cause" | "dispatch" | "at_stake_kw" | "accounts" | "sites">;

/** A part of what a dispatch is short. */
export interface ShortCause {
  /** null: what no alarm explains. */
  readonly cause: string | null;
  readonly number: number;
  readonly of: "account" | "site";
  /** After the number. */
  readonly words: string;
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
    causes.push({ cause: group.cause, number: group[`${words.of}s`], of: words.of, words: words.words, kw });
    leftKw -= kw;
    if (words.of === "account") explained += group.accounts;
  }
  if (leftKw < LEAST_KW) return causes;
  const others = accounts === null ? 0 : Math.max(0, accounts - explained);
  return [...causes, { cause: null, number: others, of: "account", words: "", kw: leftKw }];
};

/** Less is noise of meters. */
const LEAST_KW = 0.5;
