import { dayOfDate, isDate, localTime } from "@curtail/measure";
import type { AccountStore } from "../../../access/operations/access-stores.js";
import { grouped } from "../../../platform/grouped.js";
import { quote } from "../../../platform/quote.js";
import { invalid, isRefusal, type Refusal, type Result } from "../../../platform/refusal.js";
import { unavailableMs } from "../../../portfolio/domain/schedule.js";
import type { PortfolioStores } from "../../../portfolio/operations/portfolio-stores.js";
import { sitesVisibleTo, type Viewer, visibleSitesOf } from "../../../portfolio/operations/visible-sites.js";
import {
  type SharedEnergyIn,
  type StandingFilter,
  type StandingReader,
  standingResults,
} from "../final/standing-results.js";
import { type CalledSite, calledSites, startDate } from "./called-sites.js";
import type { KeptReports } from "./kept-reports.js";
import { type MemberSite, type ReportBy, SeasonReport, type SeasonRow } from "./season-report.js";
import { onceOthersAreKnown } from "./shared-in-order.js";

/** Which calls a report is about. */
export interface ReportQuestion {
  /** The first and the last local day, `2026-06-01`: a call counts on the day of its start, in the zone of its program. */
  readonly from: string;
  readonly to: string;
  readonly filter: StandingFilter;
  /** Whether operators' tests count. */
  readonly tests: boolean;
  readonly viewer: Viewer;
}

/** A row of a report, complete. */
export interface ReportRow extends SeasonRow {
  readonly accountName: string | null;
  /** Share of the period in which the sites had no availability block; null without sites. */
  readonly availability: number | null;
}

export interface PerformanceReport {
  readonly from: string;
  readonly to: string;
  readonly by: ReportBy;
  readonly rows: readonly ReportRow[];
  readonly total: ReportRow;
}

export interface ReportPorts {
  readonly standing: StandingReader;
  readonly sharedIn: SharedEnergyIn;
  readonly keptReports: KeptReports<PerformanceReport>;
  readonly stores: Pick<PortfolioStores, "sites" | "schedule"> & { readonly accounts: Pick<AccountStore, "namesOf"> };
}

/** The calls of a period, summed up by site, account or program. */
export const readReport = async (
  ports: ReportPorts,
  question: ReportQuestion,
  by: ReportBy,
): Promise<Result<PerformanceReport>> => {
  const calls = findCalls(ports, question);
  if (isRefusal(calls)) return calls;
  const season = new SeasonReport(by);
  for await (const some of calls) for (const call of some) season.add(call);
  const [rows, total] = [season.rows(), season.total()];
  const unavailable = await unavailableOf(ports, question, total.members);
  const names = await ports.stores.accounts.namesOf(rows.flatMap(({ subject }) => subject.accountId ?? []));
  const complete = (row: SeasonRow): ReportRow => ({
    ...row,
    accountName: row.subject.accountId === null ? null : (names.get(row.subject.accountId) ?? null),
    availability: availabilityOf(row.members, unavailable),
  });
  return { from: question.from, to: question.to, by, rows: rows.map(complete), total: complete(total) };
};

/** Which page of a report is shown. */
export interface ReportPage {
  /** undefined: the first. */
  readonly cursor?: string;
  readonly limit: number;
}

/** A report of which a page is shown; further pages are of the report that the first was made from, while that is kept. */
export const readReportPage = async (
  ports: ReportPorts,
  question: ReportQuestion,
  by: ReportBy,
  { cursor, limit }: ReportPage,
): Promise<Result<PerformanceReport>> => {
  const key = await keyOf(ports, question, by);
  const known = cursor === undefined ? null : ports.keptReports.find(key);
  if (known !== null) return known;
  const report = await readReport(ports, question, by);
  if (!isRefusal(report) && report.rows.length > limit) ports.keptReports.keep(key, report);
  return report;
};

/** What is asked, and all that decides which sites the viewer sees. */
const keyOf = async ({ stores }: ReportPorts, question: ReportQuestion, by: ReportBy): Promise<string> => {
  const { viewer, ...asked } = question;
  if (viewer === "operators") return JSON.stringify([by, asked]);
  const { accountId, sees } = viewer;
  const displayed = sees === "own sites" ? null : [...(await stores.sites.displayed(accountId))].toSorted();
  return JSON.stringify([by, asked, accountId, sees, displayed]);
};

const MOST_DAYS = 400;
const DAY_MS = 86_400_000;
/** No zone is further than this from UTC. */
const FARTHEST_MS = 15 * 3_600_000;

/** The calls of a period dispatch by dispatch, in order of their start. */
export const findCalls = (
  ports: ReportPorts,
  question: ReportQuestion,
): Result<AsyncGenerator<readonly CalledSite[]>> => refusePeriod(question) ?? callsIn(ports, question);

const refusePeriod = ({ from, to }: ReportQuestion): Refusal | null => {
  const wrong = Object.entries({ from, to }).find(([, date]) => !isDate(date) || dayOfDate(date) < 0);
  if (wrong !== undefined)
    return invalid(`${wrong[0]} is "${quote(wrong[1])}"; give a date between 1970 and 9999 as YYYY-MM-DD`);
  const days = dayOfDate(to) - dayOfDate(from) + 1;
  if (days < 1) return invalid("to is before from; give the first and the last day of the period");
  return days > MOST_DAYS
    ? invalid(`the period has ${days} days, and a report has at most ${MOST_DAYS}; choose a later from`)
    : null;
};

async function* callsIn(ports: ReportPorts, question: ReportQuestion): AsyncGenerator<readonly CalledSite[]> {
  const { from, to, filter, tests, viewer } = question;
  const visible = await sitesVisibleTo(ports.stores.sites, viewer);
  const period = {
    fromMs: dayOfDate(from) * DAY_MS - FARTHEST_MS,
    toMs: (dayOfDate(to) + 1) * DAY_MS + FARTHEST_MS,
  };
  const shared = await ports.sharedIn(period, sitesOf(filter));
  for await (const results of onceOthersAreKnown(standingResults(ports.standing, period, filter), shared)) {
    const date = startDate(results.dispatch);
    if (date < from || date > to || (results.dispatch.isTest && !tests)) continue;
    yield calledSites(visibleSitesOf(results, visible), await shared.of(results.dispatch.id));
  }
}

/** Energy is shared with dispatches of other programs, too. */
const sitesOf = ({ programId: _any, ...sites }: StandingFilter): Pick<StandingFilter, "accountId" | "siteId"> => sites;

/** How long a site was unavailable, of how long, in milliseconds. */
interface Unavailable {
  readonly ms: number;
  readonly ofMs: number;
}

const SITES_AT_ONCE = 500;

const unavailableOf = async (
  { stores: { schedule } }: ReportPorts,
  question: ReportQuestion,
  members: readonly MemberSite[],
): Promise<ReadonlyMap<string, Unavailable>> => {
  const found = new Map<string, Unavailable>();
  for (let at = 0; at < members.length; at += SITES_AT_ONCE) {
    const some = members.slice(at, at + SITES_AT_ONCE);
    const ids = some.map(({ siteId }) => siteId);
    const blocks = grouped(
      await schedule.ofSites(ids, new Date(dayOfDate(question.from) * DAY_MS - FARTHEST_MS)),
      ({ siteId }) => siteId,
    );
    for (const { siteId, timezone } of some) {
      const period = periodIn(timezone, question);
      found.set(siteId, {
        ms: unavailableMs(blocks.get(siteId) ?? [], period),
        ofMs: period.toMs - period.fromMs,
      });
    }
  }
  return found;
};

const periodIn = (timezone: string, { from, to }: Pick<ReportQuestion, "from" | "to">) => {
  const time = localTime(timezone);
  return { fromMs: time.startOf(dayOfDate(from)) * 1000, toMs: time.startOf(dayOfDate(to) + 1) * 1000 };
};

const availabilityOf = (
  members: readonly MemberSite[],
  unavailable: ReadonlyMap<string, Unavailable>,
): number | null => {
  const all = members.flatMap(({ siteId }) => unavailable.get(siteId) ?? []);
  const ofMs = all.reduce((sum, each) => sum + each.ofMs, 0);
  return ofMs === 0 ? null : 1 - all.reduce((sum, each) => sum + each.ms, 0) / ofMs;
};
