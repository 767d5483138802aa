import type { Actor } from "../../access/domain/account.js";
import type { AccessStores } from "../../access/operations/access-stores.js";
import type { Ports } from "../../platform/ports.js";
import { invalid, isRefusal, notFound, type Result } from "../../platform/refusal.js";
import { turns } from "../../platform/turns.js";
import { periodOf, refuseMonth } from "../../portfolio/operations/local-month.js";
import type { LineChange, SettledSite, StatementVersion } from "../domain/statement.js";
import { changedTerms, changesOf } from "../domain/statement-changes.js";
import {
  type DrawingPorts,
  type DrawnStatement,
  drawUpStatement,
  type MonthToSettle,
  monthToSettle,
} from "./draw-up-statement.js";
import type { DueStatement, SettlementStores, SiteKey } from "./settlement-stores.js";

export type MakingStores = SettlementStores & DrawingPorts["stores"] & Pick<AccessStores, "accounts" | "audit">;
export type MakingPorts = Ports<MakingStores> & Pick<DrawingPorts, "standing">;

/** A statement that was made; `unchanged`: the newest version says the same. */
export interface MadeStatement {
  readonly id: string;
  readonly accountId: string;
  readonly month: string;
  readonly version: number;
  readonly outcome: "made" | "restated" | "unchanged";
}

export interface StatementsToMake {
  readonly month: string;
  /** null: all accounts. */
  readonly accountId: string | null;
}

/** Makes the statements of a month, or makes them again. Only what differs from the newest version makes another one. */
export const makeStatements = async (
  ports: MakingPorts,
  actor: Actor,
  { month, accountId }: StatementsToMake,
): Promise<Result<readonly MadeStatement[]>> => {
  const refusal = refuseMonth(month, "month") ?? (await refuseAccount(ports, accountId));
  if (refusal !== null) return refusal;
  const toSettle = await monthToSettle(ports, month, accountId);
  if (toSettle.programs.length === 0) {
    return invalid(`no program has terms in ${month}; set terms of a program from this month or an earlier one`);
  }
  const made: MadeStatement[] = [];
  for (const each of accountId === null ? await accountsOf(ports, toSettle) : [accountId]) {
    const statement = await makeStatement(ports, actor, toSettle, each);
    if (isRefusal(statement)) return statement;
    if (statement !== null) made.push(statement);
  }
  if (made.length > 0) return made;
  return invalid(`nothing to settle: no site was enrolled or dispatched in ${month} in a program that has terms`);
};

const refuseAccount = async ({ stores }: MakingPorts, accountId: string | null) =>
  accountId === null || (await stores.accounts.find(accountId)) !== null ? null : notFound("account");

/** Accounts with sites that were enrolled or dispatched, and those that have a statement. */
const accountsOf = async ({ stores }: MakingPorts, { month, programs, enrolled }: MonthToSettle): Promise<string[]> => {
  const ids = programs.map(({ id }) => id);
  const dispatched = await stores.statements.accountsOf(month, ids, periodOf(month));
  return [...new Set([...enrolled.map(({ accountId }) => accountId), ...dispatched])].toSorted();
};

export interface RestatingPorts extends MakingPorts {
  readonly due: SettlementStores["dueStatements"];
  readonly onError: (error: unknown) => void;
}

/**
 * Draws up statements again once their results, terms or enrolments change, or their month is over; a difference makes a new
 * version. Returns whether there may be more.
 */
export const restateStatements = async (ports: RestatingPorts): Promise<boolean> => {
  const now = ports.clock.now();
  const taken = await ports.due.take(now);
  // Read after they were taken: what changes later marks them again.
  const months = new Map<string, Promise<MonthToSettle>>();
  for (const statement of taken) await restate(ports, statement, now, months);
  return taken.length > 0;
};

/** A statement that fails is taken again once its lease is over. */
const restate = async (
  ports: RestatingPorts,
  due: DueStatement,
  now: Date,
  months: Map<string, Promise<MonthToSettle>>,
): Promise<void> => {
  try {
    const month = months.get(due.month) ?? monthToSettle(ports, due.month, null);
    months.set(due.month, month);
    const made = await makeStatement(ports, null, await month, due.accountId);
    if (!isRefusal(made)) await ports.due.settled(due, now);
  } catch (error) {
    ports.onError(error);
  }
};

/** Two that make the same statement: the second looks again at what the first has stored. */
const ATTEMPTS = 10;

/** Makes one statement; null: there is nothing to settle, and was nothing before. `actor` null: the service itself. */
const makeStatement = async (
  ports: MakingPorts,
  actor: Actor | null,
  month: MonthToSettle,
  accountId: string,
): Promise<Result<MadeStatement | null>> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const known = await ports.stores.statements.newestOf(accountId, month.month);
    const drawn = await drawUpStatement(ports, month, accountId);
    if (known === 0 && drawn.sites.length === 0) return null;
    const kept = await ports.transact((stores) => keep(ports, stores, { actor, drawn, known }));
    if (kept !== "outdated") return kept;
  }
  return invalid("the statement is being made by others; try again");
};

interface Draft {
  readonly actor: Actor | null;
  readonly drawn: DrawnStatement;
  /** The newest version before it was made. */
  readonly known: number;
}

const keep = async (
  { clock, newId }: MakingPorts,
  stores: MakingStores,
  { actor, drawn, known }: Draft,
): Promise<Result<MadeStatement | "outdated">> => {
  const { accountId, month, inputs } = drawn;
  const { statements } = stores;
  const id = await statements.take({ id: newId("stm"), accountId, month });
  const newest = (await statements.versions(id)).at(-1);
  if ((newest?.version ?? 0) !== known) return "outdated";
  await statements.noteInputs(id, inputs);
  const difference = await differenceOf(stores, { id, newest, drawn });
  if (newest !== undefined && isNone(difference)) {
    return { id, accountId, month, version: newest.version, outcome: "unchanged" };
  }
  const version = versionOf(drawn, { newest, difference, at: clock.now() });
  await addVersion(stores, id, version, difference);
  if (actor !== null) {
    const after = { id, accountId, month, version: version.version };
    await stores.audit.append({ actor, at: version.at }, "statement.make", { id, accountId }, { after });
  }
  return { id, accountId, month, version: version.version, outcome: newest === undefined ? "made" : "restated" };
};

interface Difference {
  readonly sites: readonly SettledSite[];
  readonly removed: readonly SiteKey[];
  readonly changes: readonly LineChange[];
  readonly traces: readonly LineChange[];
}

/** Sites compared and written per statement: some 60 lines each at most. */
const SITES_AT_ONCE = 25;

/** What a new statement has that differs from its newest version. */
export const differenceOf = async (
  { statements }: Pick<MakingStores, "statements">,
  {
    id,
    newest,
    drawn,
  }: { readonly id: string; readonly newest: StatementVersion | undefined; readonly drawn: DrawnStatement },
): Promise<Difference> => {
  const sites: SettledSite[] = [];
  const changes: LineChange[] = [...changedTerms(newest?.programs ?? [], drawn.programs)];
  const traces: LineChange[] = [];
  for (const some of batchesOf(drawn.sites)) {
    const differing = await statements.differing(id, some);
    const found = new Map(differing.map((site) => [keyOf(site), site.before]));
    for (const after of some) {
      const before = found.get(keyOf(after));
      if (before === undefined) continue;
      sites.push(after);
      const difference = changesOf(before, after);
      changes.push(...difference.changes);
      traces.push(...difference.traces);
    }
  }
  const present = new Set(drawn.sites.map(keyOf));
  const removed = (await statements.siteKeys(id)).filter((key) => !present.has(keyOf(key)));
  return { sites, removed, changes: [...changes, ...removed.map(removal)], traces };
};

const isNone = ({ sites, removed, changes }: Difference): boolean =>
  sites.length + removed.length + changes.length === 0;

const removal = ({ programId, siteId, name, currency, total }: SiteKey): LineChange => ({
  programId,
  siteId,
  siteName: name,
  kind: null,
  dispatchId: null,
  currency,
  from: total,
  to: null,
  words: "the site is no longer in the statement",
});

const keyOf = ({ programId, siteId }: Pick<SiteKey, "programId" | "siteId">): string => `${programId} ${siteId}`;

function* batchesOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += SITES_AT_ONCE) yield all.slice(from, from + SITES_AT_ONCE);
}

/** Changes listed in a version, and traces; their numbers are kept besides. */
export const MAX_CHANGES = 200;

interface Occasion {
  readonly newest: StatementVersion | undefined;
  readonly difference: Difference;
  readonly at: Date;
}

const versionOf = ({ programs, totals }: DrawnStatement, { newest, difference, at }: Occasion): StatementVersion => ({
  version: (newest?.version ?? 0) + 1,
  at,
  reason: newest === undefined ? "made" : "restated",
  actor: null,
  note: null,
  changes: newest === undefined ? [] : difference.changes.slice(0, MAX_CHANGES),
  changeCount: newest === undefined ? 0 : difference.changes.length,
  traces: newest === undefined ? [] : difference.traces.slice(0, MAX_CHANGES),
  traceCount: newest === undefined ? 0 : difference.traces.length,
  programs,
  totals,
});

const addVersion = async (
  { statements }: MakingStores,
  id: string,
  version: StatementVersion,
  { sites, removed }: Difference,
): Promise<void> => {
  const turn = turns();
  await statements.addVersion(id, version);
  await statements.removeSites(id, version.version, removed);
  for (const some of batchesOf(sites)) {
    await statements.addSites(id, version.version, some);
    await turn();
  }
};
