import { type Follower, subjectsOf } from "../../platform/follower.js";
import type { JournalEntry, JournalKind } from "../../platform/journal.js";
import type { ChangedInputs, SettlementStores } from "../operations/settlement-stores.js";

const OF_DISPATCHES = [
  "dispatch.create",
  "dispatch.change",
  "dispatch.cancel",
  "dispatch.void",
  "result.version",
] as const satisfies readonly JournalKind[];
const OF_TERMS = ["terms.set", "terms.delete"] as const satisfies readonly JournalKind[];
const OF_RULES = ["rules.adopt"] as const satisfies readonly JournalKind[];
const OF_SITES = ["program.enrol", "program.withdraw"] as const satisfies readonly JournalKind[];

/** Marks the statements that a change concerns, which a worker makes again. */
export const settlement: Follower<Pick<SettlementStores, "dueStatements">> = {
  name: "settlement",
  stream: "journal",
  kinds: [...OF_DISPATCHES, ...OF_TERMS, ...OF_RULES, ...OF_SITES],
  by: "subject",
  atOnce: 500,
  behindAfterSeconds: 60,
  async handle(batch, { stores }) {
    const changes = changesOf(batch.filter(({ environment }) => environment === "production"));
    if (changes !== null) await stores.dueStatements.mark(changes);
    return { more: false };
  },
  rebuild: ({ stores }) => stores.dueStatements.rebuild(),
};

/** null: nothing changed. */
const changesOf = (entries: readonly JournalEntry[]): ChangedInputs | null => {
  const newest = entries.at(-1);
  if (newest === undefined) return null;
  return {
    dispatchIds: subjectsOf(entries, OF_DISPATCHES),
    programIds: subjectsOf(entries, OF_TERMS),
    hasRules: subjectsOf(entries, OF_RULES).length > 0,
    siteIds: subjectsOf(entries, OF_SITES),
    since: new Date(Math.min(...entries.map(({ at }) => at.getTime()))),
    seq: newest.seq,
  };
};
