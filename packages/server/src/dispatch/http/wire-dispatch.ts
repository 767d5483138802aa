import type { BodyOf, operator, Dispatch as WireDispatch } from "@curtail/contract";
import { given } from "../../platform/http/given.js";
import { seconds } from "../../platform/http/timestamps.js";
import { isRefusal, type Result } from "../../platform/refusal.js";
import { rounded } from "../../platform/rounded.js";
import { formatSecond, formatTimestamp } from "../../platform/timestamp.js";
import { mapInTurns } from "../../platform/turns.js";
import type { Dispatch, DispatchProgram, DispatchSite, NewDispatch } from "../domain/dispatch.js";
import {
  type DispatchDetails,
  type DispatchMember,
  membersThat,
  type WireName,
  wireNameOf,
} from "../domain/dispatch-members.js";
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

type Written<Value> = Value extends Date ? string : Value;
type Seen<Name extends DispatchMember> = { [Each in Name as WireName<Each>]: Written<Dispatch[Each]> };

/** Members under their names in the interface. */
const membersToWire = <Name extends DispatchMember>(
  dispatch: Dispatch,
  names: readonly Name[],
  written: (at: Date) => string,
): Seen<Name> => {
  const valueOf = (value: unknown) => (value instanceof Date ? written(value) : value);
  return Object.fromEntries(names.map((name) => [wireNameOf(name), valueOf(dispatch[name])])) as Seen<Name>;
};

const participantMembers = membersThat({ for: "participants" });
const operatorMembers = membersThat({ for: "operators" });

const withoutSites = (dispatch: Dispatch) => ({
  ...membersToWire(dispatch, participantMembers, formatSecond),
  cancelled: !dispatch.authorized,
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
  ...membersToWire(dispatch, operatorMembers, formatTimestamp),
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

const details = membersThat({ changes: "freely" });
type WireDetails = { readonly [Name in keyof DispatchDetails as WireName<Name>]?: DispatchDetails[Name] | undefined };

/** What a request sets of the details. */
export const detailsFrom = (body: WireDetails): Partial<DispatchDetails> =>
  given(Object.fromEntries(details.map((name) => [name, body[wireNameOf(name) as WireName<typeof name>]])));

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
    details: detailsFrom(body),
    confirmPast: body.confirm_past ?? false,
  };
};
