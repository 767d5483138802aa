import { participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { callerOf } from "../../access/caller/caller.js";
import type { Dispatch } from "../../dispatch/domain/dispatch.js";
import { programToWire } from "../../dispatch/http/wire-dispatch.js";
import { limitsToWire } from "../../performance/http/wire-performance.js";
import { serve } from "../../platform/http/endpoint.js";
import { momentToWire } from "../../platform/http/timestamps.js";
import { rounded } from "../../platform/rounded.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import { lastReadingToWire } from "../../portfolio/http/wire-meter.js";
import type { DispatchedSite } from "../domain/overview.js";
import {
  type AccountDispatch,
  type AccountOverviewPorts,
  accountOverview,
  type SiteOverview,
} from "../operations/account-overview.js";

/** An overview of the caller's own sites. */
export const accountOverviewRoutes = (app: FastifyInstance, ports: AccountOverviewPorts): void =>
  serve(app, participantConsole.getAccountOverview, async ({ request }) => {
    const { asOf, sites, dispatches } = await accountOverview(ports, callerOf(request));
    return { as_of: formatTimestamp(asOf), sites: sites.map(siteToWire), dispatches: dispatches.map(dispatchToWire) };
  });

const states = { active: "in_progress", upcoming: "upcoming", cancelled: "cancelled", past: "in_progress" } as const;

const dispatchToWire = ({ dispatch, ...now }: AccountDispatch): participantConsole.AccountDispatch => ({
  ...timesToWire(dispatch),
  state: states[now.phase],
  test: dispatch.test,
  reached: now.isReached,
  status_limits: now.limits === null ? null : limitsToWire(now.limits),
  sites: now.sites.map(({ siteId, commitmentKw, data }) => ({
    site_id: siteId,
    commitment_kw: commitmentKw,
    delivered_kw: rounded(data?.deliveredKw ?? null),
  })),
});

const siteToWire = ({ site, data, call, ...now }: SiteOverview): participantConsole.SiteOverview => ({
  id: site.id,
  name: site.name,
  customer_location_id: site.customerLocationId,
  timezone: site.timezone,
  dispatch_group: site.dispatchGroup,
  display_enabled: site.displayedSince !== null,
  load_kw: rounded(data?.loadKw ?? null),
  last_reading_at: momentToWire(data?.lastAt ?? null),
  stale: now.isStale,
  meters: site.meters.map((meter) => ({
    id: meter.id,
    name: meter.name,
    asset_type: meter.assetType,
    last_reading: lastReadingToWire(data?.last.get(meter.id)),
  })),
  available: now.unavailableUntil === null,
  unavailable_until: momentToWire(now.unavailableUntil),
  schedule_cutoff_seconds: now.cutoffSeconds,
  dispatch: call === null ? null : callToWire(call, data),
});

const timesToWire = ({ id, program, start, end }: Dispatch) => ({
  id,
  program: programToWire(program),
  start_time: formatTimestamp(start),
  end_time: momentToWire(end),
});

const callToWire = ({ dispatch, site, state }: DispatchedSite, data: SiteOverview["data"]) => ({
  ...timesToWire(dispatch),
  state,
  commitment_kw: site.commitmentKw,
  delivered_kw: rounded(data?.deliveredKw ?? null),
  status: data === null || data.status === null ? null : { ...data.status },
  status_limits: data === null || data.limits === null ? null : limitsToWire(data.limits),
});
