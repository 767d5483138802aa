import type { BodyOf, operator, Dispatch as WireDispatch } from "@curtail/contract";
import { seconds } from "../../platform/http/timestamps.js";
import { isRefusal, type Result } from "../../platform/refusal.js";
import { rounded } from "../../platform/rounded.js";
import { formatSecond, formatTimestamp } from "../../platform/timestamp.js";
import type { Dispatch, DispatchProgram, DispatchSite, NewDispatch } from "../domain/dispatch.js";
import type { Overlap } from "../domain/overlap.js";
import type { ChangedDispatch } from "../operations/change-dispatch.js";
import type { CreatedDispatch } from "../operations/create-dispatch.js";
import type { ListedDispatch } from "../operations/dispatch-ports.js";

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

/** A dispatch as the operator sees it: with the sites of all accounts. */
export const operatorDispatchToWire = (dispatch: Dispatch): operator.OperatorDispatch => ({
  ...withoutSites(dispatch),
  notification_time: formatTimestamp(dispatch.notification),
  void_reason: dispatch.voidReason,
  record: dispatch.isRecord,
  sites: dispatch.sites.map(operatorSiteToWire),
});

/** The same after it was issued or changed: with overlapping dispatches of its sites. */
export const changedDispatchToWire = ({ dispatch, overlaps }: ChangedDispatch) => ({
  ...operatorDispatchToWire(dispatch),
  sites: dispatch.sites.map((site) => ({
    ...operatorSiteToWire(site),
    overlaps: (overlaps.get(site.id) ?? []).map(overlapToWire),
  })),
});

export const createdDispatchToWire = (created: CreatedDispatch) => ({
  ...changedDispatchToWire(created),
  excluded_sites: excludedToWire(created),
});

export const overlapToWire = ({ dispatchId, programName, end, test }: Overlap) => ({
  dispatch_id: dispatchId,
  program: programName,
  until: end === null ? null : formatSecond(end),
  test,
});

export const excludedToWire = ({ excluded }: Pick<CreatedDispatch, "excluded">) =>
  excluded.map(({ siteId, reason }) => ({ site_id: siteId, reason }));
export const listedDispatchToWire = ({
  dispatch,
  siteCount,
  commitmentKw,
}: ListedDispatch): operator.ListedDispatch => ({
  ...operatorDispatchToWire(dispatch),
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
