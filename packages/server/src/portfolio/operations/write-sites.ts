import type { AccessStores, Act, AuditedAct } from "../../access/operations/access-stores.js";
import type { NewId } from "../../platform/clock.js";
import type { Enrolment } from "../domain/program.js";
import { kwhMeansAfter, kwhMeansOfNew, type Meter, type Site } from "../domain/site.js";
import type { LockedMeter, PortfolioStores } from "./portfolio-stores.js";

// What has been verified is written here, with its audit entries: one statement a table, however many are written.

export type NewMeter = Pick<Meter, "name" | "assetType"> & Partial<Pick<Meter, "kwhMeans">>;
export type SiteDescription = Pick<
  Site,
  "name" | "customerLocationId" | "dispatchGroup" | "timezone" | "latitude" | "longitude"
>;
export type NewSite = SiteDescription & { readonly accountId: string; readonly meters: readonly NewMeter[] };

export interface Changed<T> {
  readonly before: T;
  readonly after: T;
}

type MeterOfAccount = Omit<LockedMeter, "hasReadings">;
type Writing = Pick<PortfolioStores, "sites" | "programs"> & Pick<AccessStores, "audit">;

interface Making extends Pick<Site, "isSimulated"> {
  readonly newId: NewId;
  readonly at: Date;
}

export const madeSite = (input: NewSite, { newId, at, isSimulated }: Making): Site => ({
  ...input,
  id: newId("site"),
  createdAt: at,
  displayedSince: null,
  measuredMeters: null,
  isSimulated,
  meters: input.meters.map((meter) => madeMeter(newId("mtr"), meter)),
});

export const madeMeter = (id: string, meter: NewMeter): Meter => ({
  id,
  kwhMeans: kwhMeansOfNew(meter.assetType),
  ...meter,
});

export const changedMeter = (
  { hasReadings, ...before }: LockedMeter,
  change: Partial<NewMeter>,
): Changed<MeterOfAccount> => {
  const kwhMeans = kwhMeansAfter(before, change.assetType ?? before.assetType, hasReadings);
  return { before, after: { ...before, kwhMeans, ...change } };
};

export const addSites = async ({ sites, audit }: Writing, act: Act, added: readonly Site[]): Promise<void> => {
  if (added.length === 0) return;
  await sites.insert(added);
  await audit.appendAll(
    act,
    added.map((site) => ({ action: "site.create", subject: site, change: { after: site } })),
  );
};

export const changeSites = async (
  { sites, audit }: Writing,
  act: Act,
  changes: ReadonlyArray<Changed<Site>>,
): Promise<void> => {
  if (changes.length === 0) return;
  await sites.save(changes.map(({ after }) => after));
  await audit.appendAll(
    act,
    changes.map((change) => ({ action: "site.change", subject: change.after, change })),
  );
};

interface MeterOfSite {
  readonly meter: Meter;
  readonly site: Pick<Site, "id" | "accountId">;
}

export const addMeters = async ({ sites, audit }: Writing, act: Act, added: readonly MeterOfSite[]): Promise<void> => {
  if (added.length === 0) return;
  await sites.insertMeters(added.map(({ meter, site }) => ({ ...meter, siteId: site.id, createdAt: act.at })));
  const acts = added.map(
    ({ meter, site: { id: siteId, accountId } }): AuditedAct => ({
      action: "meter.create",
      subject: { id: meter.id, accountId },
      change: { after: { ...meter, siteId } },
    }),
  );
  await audit.appendAll(act, acts);
};

export const changeMeters = async (
  { sites, audit }: Writing,
  act: Act,
  changes: ReadonlyArray<Changed<MeterOfAccount>>,
): Promise<void> => {
  if (changes.length === 0) return;
  await sites.saveMeters(changes.map(({ after }) => after));
  await audit.appendAll(
    act,
    changes.map((change) => ({ action: "meter.change", subject: change.after, change })),
  );
};

interface EnrolmentChange {
  readonly before: Enrolment | null;
  readonly after: Enrolment;
  /** Of the site. */
  readonly accountId: string;
}

/** The enrolments are of different sites or programs. */
export const writeEnrolments = async (
  { programs, audit }: Pick<Writing, "programs" | "audit">,
  act: Act,
  changes: readonly EnrolmentChange[],
): Promise<void> => {
  if (changes.length === 0) return;
  await programs.enrol(
    changes.map(({ after }) => after),
    act.at,
  );
  const acts = changes.map(
    ({ accountId, ...change }): AuditedAct => ({
      action: "program.enrol",
      subject: { id: change.after.siteId, accountId },
      change,
    }),
  );
  await audit.appendAll(act, acts);
};
