import type { BodyOf, operator, Dispatch as WireDispatch } from "@curtail/contract";
import { seconds } from "../../platform/http/timestamps.js";
import { isRefusal, type Result } from "../../platform/refusal.js";
import { rounded } from "../../platform/rounded.js";
import { formatSecond, formatTimestamp } from "../../platform/timestamp.js";
import { mapInTurns } from "../../platform/turns.js";
import type { Dispatch, DispatchProgram, DispatchSite, NewDispatch } from "../domain/dispatch.js";
import type { Overlap } from "../domain/overlap.js";
import type { ChangedDispatch } from "../operations/change-dispatch.js";
import type { CreatedDispatch } from "../operations/create-dispatch.js";
import type { ListedDispatch } from "../operations/dispatch-stores.js";
import type { SiteOverlaps } from "../operations/find-overlaps.js";

type WireSite = WireDispatch["sites"][number];

const siteToWire = (site: DispatchSite): WireSite => ({
  id: site.id,
  name: site.name,
  customer_location_id: site.customerLocationId,
  dispatch_group: site.dispatchGroup,
  commitment: site.commitmentKw,
  drop_by: site.commitmentKw,
});

const withoutSites = (dispatch: Dispatch) => ({
  id: dispatch.id,
  authorized: dispatch.authorized,
  cancelled: !dispatch.authorized,
  test: dispatch.test,
  start_time: formatSecond(dispatch.start),
  end_time: dispatch.end === null ? null : formatSecond(dispatch.end),
  creation_time: formatSecond(dispatch.createdAt),
  modification_number: dispatch.modificationNumber,
  metadata: { ...dispatch.metadata },
  program: programToWire(dispatch.program),
});

export const programToWire = ({
  id,
  name,
  timezone,
  market,
  programType,
}: DispatchProgram): WireDispatch["program"] => ({
  id,
  name,
  timezone,
  market,
  program_type: programType as WireDispatch["program"]["program_type"],
});

/** A dispatch as its participant sees it. */
export const dispatchToWire = (dispatch: Dispatch): WireDispatch => ({
  ...withoutSites(dispatch),
  sites: dispatch.sites.map(siteToWire),
});

const operatorSiteToWire = (site: DispatchSite) => ({ ...siteToWire(site), account_id: site.accountId });

const forOperator = (dispatch: Dispatch) => ({
  ...withoutSites(dispatch),
  notification_time: formatTimestamp(dispatch.notification),
  void_reason: dispatch.voidReason,
  record: dispatch.isRecord,
});

/** A dispatch as the operator sees it: with the sites of all accounts. */
export const operatorDispatchToWire = async (dispatch: Dispatch): Promise<operator.OperatorDispatch> => ({
  ...forOperator(dispatch),
  sites: await mapInTurns(dispatch.sites, operatorSiteToWire),
});

/** The same after it was issued or changed: with overlapping dispatches of its sites. */
export const changedDispatchToWire = async ({ dispatch, overlaps }: ChangedDispatch) => {
  const overlapsOf = overlapsToWire(overlaps);
  const toWire = (site: DispatchSite) => ({ ...operatorSiteToWire(site), overlaps: overlapsOf(site) });
  return { ...forOperator(dispatch), sites: await mapInTurns(dispatch.sites, toWire) };
};

export const createdDispatchToWire = async (created: CreatedDispatch) => ({
  ...(await changedDispatchToWire(created)),
  excluded_sites: excludedToWire(created),
});

const overlapToWire = ({ dispatchId, programName, end, test }: Overlap) => ({
  dispatch_id: dispatchId,
  program: programName,
  until: end === null ? null : formatSecond(end),
  test,
});

/** The overlaps of a site; each is written once, whatever sites it has. */
export const overlapsToWire = (overlaps: SiteOverlaps) => {
  const written = new Map<Overlap, ReturnType<typeof overlapToWire>>();
  const once = (overlap: Overlap) => {
    const wire = written.get(overlap) ?? overlapToWire(overlap);
    written.set(overlap, wire);
    return wire;
  };
  return ({ id }: Pick<DispatchSite, "id">) => (overlaps.get(id) ?? []).map(once);
};

export const excludedToWire = ({ excluded }: Pick<CreatedDispatch, "excluded">) =>
  excluded.map(({ siteId, reason }) => ({ site_id: siteId, reason }));

export const listedDispatchToWire = ({
  dispatch,
  siteCount,
  commitmentKw,
}: ListedDispatch): operator.ListedDispatch => ({
  ...forOperator(dispatch),
  sites: dispatch.sites.map(operatorSiteToWire),
  site_count: siteCount,
  commitment_kw: rounded(commitmentKw),
});

/** The dispatch of an operator's request. */
export const newDispatchFrom = (body: BodyOf<typeof operator.createDispatch>): Result<NewDispatch> => {
  const { start_time, end_time, notification_time } = body;
  const times = seconds({ start_time, end_time, notification_time });
  if (isRefusal(times)) return times;
  return {
    programId: body.program_id,
    start: times.start_time,
    end: times.end_time ?? null,
    notification: times.notification_time ?? null,
    test: body.test ?? false,
    sites: body.sites?.map(({ site_id, commitment }) => ({ siteId: site_id, commitmentKw: commitment })) ?? null,
    metadata: body.metadata ?? {},
    confirmPast: body.confirm_past ?? false,
  };
};
