import type { Actor } from "../../access/domain/account.js";
import type { AccessStores } from "../../access/operations/access-stores.js";
import { changesNothing } from "../../platform/changes-nothing.js";
import { refuseNear } from "../../platform/near-match.js";
import type { Ports } from "../../platform/ports.js";
import { notFound, type Result } from "../../platform/refusal.js";
import { nearChangedSite, nearMeter, nearSite } from "../domain/near-site.js";
import { refuseTimezone } from "../domain/program.js";
import {
  displayedSince,
  type Meter,
  refuseCoordinates,
  refuseKwhMeans,
  refuseMeasuredMeters,
  type Site,
} from "../domain/site.js";
import type { PortfolioStores } from "./portfolio-stores.js";
import {
  addMeters,
  addSites,
  changedMeter,
  changeMeters,
  changeSites,
  madeMeter,
  madeSite,
  type NewMeter,
  type NewSite,
  type SiteDescription,
} from "./write-sites.js";

/** Stores of sites and their accounts. */
export type SiteManagingStores = PortfolioStores & Pick<AccessStores, "accounts" | "audit">;

export type SiteChange = Partial<SiteDescription & Pick<Site, "measuredMeters">> & {
  /** Whether the site's data is visible on pages. */
  readonly displayed?: boolean;
};

/** @param isNearConfirmed whether a site that is almost the same as another one of the account is meant */
export const createSite = (
  { transact, clock, newId }: Ports<SiteManagingStores>,
  actor: Actor,
  input: NewSite,
  isNearConfirmed: boolean,
) =>
  transact(async (stores): Promise<Result<Site>> => {
    const account = await stores.accounts.find(input.accountId);
    if (account === null) return notFound("account");
    const near = isNearConfirmed ? null : nearSite(input, await stores.sites.identitiesOf([input.accountId]));
    const at = clock.now();
    const site = madeSite(input, { newId, at, isSimulated: account.isSimulated });
    const refusal =
      refuseTimezone(input.timezone) ??
      refuseCoordinates(input) ??
      site.meters.map(refuseKwhMeans).find((fault) => fault !== null) ??
      refuseNear("create this site", near, isNearConfirmed);
    if (refusal !== null) return refusal;
    await addSites(stores, { actor, at }, [site]);
    return site;
  });

export const changeSite = (
  { transact, clock }: Ports<SiteManagingStores>,
  actor: Actor,
  id: string,
  { displayed, ...description }: SiteChange,
  isNearConfirmed: boolean,
) =>
  transact(async (stores): Promise<Result<Site>> => {
    const before = await stores.sites.lock(id);
    if (before === null) return notFound("site");
    const at = clock.now();
    const change = { ...description, displayedSince: displayedSince(before, displayed, at) };
    if (changesNothing(before, change)) return before;
    const after = { ...before, ...change };
    const near = isNearConfirmed
      ? null
      : nearChangedSite(before, after, await stores.sites.identitiesOf([before.accountId]));
    const refusal =
      refuseTimezone(after.timezone) ??
      refuseCoordinates(after) ??
      refuseMeasuredMeters(after) ??
      refuseNear("change this site", near, isNearConfirmed);
    if (refusal !== null) return refusal;
    await changeSites(stores, { actor, at }, [{ before, after }]);
    return after;
  });

export const addMeter = (
  { transact, clock, newId }: Ports<SiteManagingStores>,
  actor: Actor,
  siteId: string,
  input: NewMeter,
  isNearConfirmed: boolean,
) =>
  transact(async (stores): Promise<Result<Meter>> => {
    const site = await stores.sites.lock(siteId);
    if (site === null) return notFound("site");
    const at = clock.now();
    const meter = madeMeter(newId("mtr"), input);
    const near = nearMeter(
      input.name,
      site.meters.map(({ name }) => name),
    );
    const refusal = refuseKwhMeans(meter) ?? refuseNear("create this meter", near, isNearConfirmed);
    if (refusal !== null) return refusal;
    await addMeters(stores, { actor, at }, [{ meter, site }]);
    return meter;
  });

export const changeMeter = (
  { transact, clock }: Ports<SiteManagingStores>,
  actor: Actor,
  id: string,
  change: Partial<NewMeter>,
  isNearConfirmed: boolean,
) =>
  transact(async (stores): Promise<Result<Meter>> => {
    const [found] = await stores.sites.lockMeters([id]);
    if (found === undefined) return notFound("meter");
    const { before, after } = changedMeter(found, change);
    if (changesNothing(before, after)) return before;
    const near = isNearConfirmed ? null : nearMeter(after.name, await stores.sites.metersBeside(id), before.name);
    const refusal = refuseKwhMeans(after) ?? refuseNear("change this meter", near, isNearConfirmed);
    if (refusal !== null) return refusal;
    await changeMeters(stores, { actor, at: clock.now() }, [{ before, after }]);
    return after;
  });
