import type { CalledSite } from "./called-sites.js";
import { type SeasonFigures, SeasonSums } from "./season-sums.js";

/** What a row of a report is about. */
export type ReportBy = "site" | "account" | "program";

/** Names of what a row is about; null where it does not apply. */
export interface ReportSubject {
  readonly siteId: string | null;
  readonly siteName: string | null;
  readonly accountId: string | null;
  readonly programId: string | null;
  readonly programName: string | null;
}

/** A site that was called, in the time zone of its latest program. */
export interface MemberSite {
  readonly siteId: string;
  readonly timezone: string;
}

/** A row of a report, and the sites that it is about. */
export interface SeasonRow extends SeasonFigures {
  readonly subject: ReportSubject;
  readonly members: readonly MemberSite[];
  /** The latest of its calls; null without any. */
  readonly latest: LatestCall | null;
}

/** When a site was called. Without its result: those of all calls would be held until the next one of each site. */
export interface LatestCall extends Pick<CalledSite, "dispatch" | "localDate" | "endMs"> {
  readonly siteId: string;
}

interface Group {
  subject: ReportSubject;
  readonly sums: SeasonSums;
  /** Time zones of its sites. */
  readonly members: Map<string, string>;
  latest: LatestCall | null;
}

const NOBODY: ReportSubject = { siteId: null, siteName: null, accountId: null, programId: null, programName: null };

/** Sums up the calls of a period by site, account or program; calls come in order of their start. */
export class SeasonReport {
  private readonly groups = new Map<string, Group>();
  private readonly all = newGroup();

  constructor(private readonly by: ReportBy) {}

  add(call: CalledSite): void {
    const { dispatch, localDate, endMs, site } = call;
    const group = this.groupOf(subjects[this.by](call));
    const latest = { siteId: site.siteId, dispatch, localDate, endMs };
    addTo(group, call, latest);
    addTo(this.all, call, latest);
  }

  private groupOf(subject: ReportSubject): Group {
    // A site that changed its account is two: each account has its own calls.
    const key = `${subject.siteId} ${subject.accountId} ${subject.programId}`;
    const group = this.groups.get(key) ?? newGroup();
    this.groups.set(key, group);
    // Names may change; the latest counts.
    group.subject = subject;
    return group;
  }

  /** In order of their names. */
  rows(): SeasonRow[] {
    return [...this.groups.values()].map(rowOf).toSorted(byName);
  }

  total(): SeasonRow {
    return rowOf(this.all);
  }
}

const newGroup = (): Group => ({ subject: NOBODY, sums: new SeasonSums(), members: new Map(), latest: null });

const addTo = (group: Group, call: CalledSite, latest: LatestCall): void => {
  group.sums.add(call);
  group.members.set(latest.siteId, latest.dispatch.timezone);
  group.latest = latest;
};

const rowOf = ({ subject, sums, members, latest }: Group): SeasonRow => ({
  subject,
  members: [...members].map(([siteId, timezone]) => ({ siteId, timezone })),
  latest,
  ...sums.figures(),
});

const subjects: Readonly<Record<ReportBy, (call: CalledSite) => ReportSubject>> = {
  site: ({ site }) => ({ ...NOBODY, siteId: site.siteId, siteName: site.name, accountId: site.accountId }),
  account: ({ site }) => ({ ...NOBODY, accountId: site.accountId }),
  program: ({ dispatch }) => ({ ...NOBODY, programId: dispatch.programId, programName: dispatch.programName }),
};

const byName = (a: SeasonRow, b: SeasonRow): number => (placeOfRow(a) < placeOfRow(b) ? -1 : 1);

/** The place of a row among the others, which no other has. */
export const placeOfRow = ({ subject }: Pick<SeasonRow, "subject">): string => {
  const { siteName, programName, siteId, accountId, programId } = subject;
  return [siteName, programName, siteId, accountId, programId].join("\n");
};
