import type { Clock } from "../../platform/clock.js";
import type { Page, PageRequest } from "../../platform/page.js";
import { notFound, type Result } from "../../platform/refusal.js";
import { turns } from "../../platform/turns.js";
import type { SiteStore } from "../../portfolio/operations/portfolio-stores.js";
import {
  sitesVisibleTo,
  type Viewer,
  type Visible,
  type VisibleSites,
  visiblePart,
} from "../../portfolio/operations/visible-sites.js";
import {
  type LineChange,
  type SettledSite,
  type Statement,
  type StatementState,
  type StatementVersion,
  standingStatement,
  stateOf,
  type Total,
} from "../domain/statement.js";
import { totalsOf } from "../domain/statement-totals.js";
import type { ListedStatement, SettlementStores, StatementFilter } from "./settlement-stores.js";

export interface ViewingPorts {
  readonly stores: Pick<SettlementStores, "statements">;
  readonly sites: Pick<SiteStore, "displayed">;
  readonly clock: Clock;
}

/** A statement as of a version. */
export interface StatementReport {
  readonly statement: Statement;
  readonly state: StatementState;
  /** Oldest first. */
  readonly versions: readonly StatementVersion[];
  /** Number of the version that applies. */
  readonly standing: number;
  readonly shown: StatementVersion;
  /** Of the visible sites. */
  readonly totals: readonly Total[];
  /** Sites whose data the viewer may not see; they are in neither lines nor totals. */
  readonly hiddenSites: number;
  /** The visible sites, program by program, by name. */
  readonly sites: () => AsyncGenerator<Visible<readonly SettledSite[]>>;
}

export interface WantedStatement {
  readonly id: string;
  /** null: the one that applies. */
  readonly version: number | null;
}

const accountOf = (viewer: Viewer): string | null => (viewer === "operators" ? null : viewer.accountId);

export const viewStatement = async (
  { stores, sites, clock }: ViewingPorts,
  viewer: Viewer,
  { id, version }: WantedStatement,
): Promise<Result<StatementReport>> => {
  const statement = await stores.statements.find(id, accountOf(viewer));
  if (statement === null) return notFound("statement");
  const versions = await stores.statements.versions(id);
  const standing = standingStatement(versions);
  if (standing === undefined) return notFound("statement");
  const shown = version === null ? standing : versions.find((each) => each.version === version);
  if (shown === undefined) return notFound("version");
  const visible = await sitesVisibleTo(sites, viewer);
  const siteIds = viewer === "operators" ? [] : ((await stores.statements.siteIds([id])).get(id) ?? []);
  const hidden = new Set(siteIds.filter((siteId) => !visible.has({ siteId, accountId: statement.accountId })));
  const ofVersion = () => visibleSites(stores, { statement, shown, visible });
  return {
    statement,
    state: stateOf(statement, standing.reason === "approved", clock.now()),
    versions: versions.map((each) => ({
      ...each,
      changes: shownOf(each.changes, hidden),
      traces: shownOf(each.traces, hidden),
    })),
    standing: standing.version,
    shown,
    totals: hidden.size === 0 ? shown.totals : await totalsOfVisible(shown, ofVersion()),
    hiddenSites: hidden.size,
    sites: ofVersion,
  };
};

/** Changes about visible sites, and about programs. */
const shownOf = (changes: readonly LineChange[], hidden: ReadonlySet<string>): readonly LineChange[] =>
  changes.filter(({ siteId }) => siteId === null || !hidden.has(siteId));

interface Shown {
  readonly statement: Statement;
  readonly shown: StatementVersion;
  readonly visible: VisibleSites;
}

async function* visibleSites(
  { statements }: ViewingPorts["stores"],
  { statement: { id, accountId }, shown, visible }: Shown,
): AsyncGenerator<Visible<readonly SettledSite[]>> {
  const turn = turns();
  for (const { id: programId } of shown.programs) {
    let after: SettledSite | undefined;
    do {
      const data: readonly SettledSite[] = await statements.sites(id, {
        programId,
        version: shown.version,
        after: after ?? null,
      });
      const of = data.map(({ siteId }) => ({ siteId, accountId }));
      yield visiblePart({ data, of, keep: (isSeen) => data.filter((_, index) => isSeen[index]) }, visible);
      await turn();
      after = data.at(-1);
    } while (after !== undefined);
  }
}

const totalsOfVisible = async (
  { programs }: StatementVersion,
  sites: AsyncGenerator<readonly SettledSite[]>,
): Promise<readonly Total[]> => {
  const seen: SettledSite[] = [];
  for await (const some of sites) seen.push(...some);
  return totalsOf(programs, seen);
};

/** A statement in a list; without totals if the viewer may not see all of its sites. */
export interface StatementItem extends Omit<ListedStatement, "totals"> {
  readonly totals: readonly Total[] | null;
}

export const listStatements = async (
  { stores, sites, clock }: ViewingPorts,
  viewer: Viewer,
  filter: StatementFilter,
  page: PageRequest,
): Promise<Page<StatementItem>> => {
  const own = { ...filter, accountId: accountOf(viewer) ?? filter.accountId };
  const found = await stores.statements.list(own, clock.now(), page);
  const visible = await sitesVisibleTo(sites, viewer);
  if (viewer === "operators") return found;
  const siteIds = await stores.statements.siteIds(found.items.map(({ id }) => id));
  const isWhole = ({ id, accountId }: ListedStatement) =>
    (siteIds.get(id) ?? []).every((siteId) => visible.has({ siteId, accountId }));
  return { ...found, items: found.items.map((item) => (isWhole(item) ? item : { ...item, totals: null })) };
};
