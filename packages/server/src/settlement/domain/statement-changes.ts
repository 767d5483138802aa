import { changesNothing } from "../../platform/changes-nothing.js";
import type { LineChange, SettledProgram, SettledSite, StatementLine } from "./statement.js";

type SiteLines = Pick<SettledSite, "programId" | "siteId" | "name" | "currency" | "lines">;

/** What differs between two versions. */
export interface LineDifference {
  /** Lines that are new, or gone, or whose amount changed. */
  readonly changes: readonly LineChange[];
  /** Lines whose amount is the same, but not what it is traced to. */
  readonly traces: readonly LineChange[];
}

/** The lines of a site that differ between two versions; null: the version has no such site. */
export const changesOf = (before: SiteLines | null, after: SiteLines): LineDifference => {
  const all = differingLines(before, after);
  return { changes: all.filter(({ from, to }) => from !== to), traces: all.filter(({ from, to }) => from === to) };
};

const differingLines = (before: SiteLines | null, after: SiteLines): readonly LineChange[] => {
  const [old, fresh] = [byKey(before?.lines ?? []), byKey(after.lines)];
  return [...new Set([...old.keys(), ...fresh.keys()])].flatMap((key) => {
    const [was, is] = [old.get(key), fresh.get(key)];
    const line = is ?? was;
    if (line === undefined || sameLine(was, is)) return [];
    const { kind, dispatchId } = line;
    const [from, to] = [was?.amount ?? null, is?.amount ?? null];
    const { programId, siteId, name: siteName, currency } = after;
    return [{ programId, siteId, siteName, kind, dispatchId, currency, from, to, words: wordsOf(was, is) }];
  });
};

/** Lines by what they are about; a site may have two caps. */
const byKey = (lines: readonly StatementLine[]): ReadonlyMap<string, StatementLine> =>
  new Map(lines.map((line) => [[line.kind, line.dispatchId, line.kind === "cap" ? line.words : ""].join(" "), line]));

const sameLine = (was: StatementLine | undefined, is: StatementLine | undefined): boolean =>
  was !== undefined &&
  is !== undefined &&
  MEMBERS.every((name) => was[name] === is[name]) &&
  changesNothing({ of: was.sharedWith ?? [] }, { of: is.sharedWith ?? [] });

const MEMBERS = ["version", "quantity", "price", "factor", "amount", "words"] as const;

/** What changed besides the amount. */
const wordsOf = (was: StatementLine | undefined, is: StatementLine | undefined): string => {
  if (was === undefined) return `added: ${is?.words ?? ""}`;
  if (is === undefined) return `removed: ${was.words}`;
  const parts = [
    was.version === is.version ? null : `result version ${was.version ?? "none"} → ${is.version ?? "none"}`,
    was.quantity === is.quantity ? null : `${was.quantity ?? "unknown"} → ${is.quantity ?? "unknown"} ${is.unit ?? ""}`,
    was.price === is.price ? null : `price ${was.price} → ${is.price}`,
    was.factor === is.factor ? null : `factor ${was.factor ?? "none"} → ${is.factor ?? "none"}`,
    was.words === is.words ? null : is.words,
  ];
  return parts.filter((part) => part !== null).join("; ");
};

/** Programs whose terms are not those of the version before. */
export const changedTerms = (
  before: readonly SettledProgram[],
  after: readonly SettledProgram[],
): readonly LineChange[] =>
  after.flatMap(({ id: programId, name, terms }) => {
    const old = before.find(({ id }) => id === programId);
    if (old !== undefined && changesNothing(old.terms, terms)) return [];
    return [{ ...OF_ALL_SITES, programId, currency: terms.currency, words: `the terms of ${name} changed` }];
  });

const OF_ALL_SITES = { siteId: null, siteName: null, kind: null, dispatchId: null, from: null, to: null } as const;
