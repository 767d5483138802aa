import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { limitsToWire } from "../../performance/http/wire-performance.js";
import { serve } from "../../platform/http/endpoint.js";
import { momentToWire } from "../../platform/http/timestamps.js";
import { isRefusal } from "../../platform/refusal.js";
import { rounded } from "../../platform/rounded.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { ShortCurve } from "../domain/short-curve.js";
import { type DispatchNow, type OperatorOverviewPorts, operatorOverview } from "../operations/operator-overview.js";

export const overviewRoutes = (app: FastifyInstance, ports: OperatorOverviewPorts): void =>
  serve(app, operator.getOverview, async () => {
    const overview = await operatorOverview(ports);
    if (isRefusal(overview)) return overview;
    return {
      as_of: formatTimestamp(overview.asOf),
      accounts: overview.accounts,
      sites: overview.sites,
      sites_streaming: overview.sitesStreaming,
      sites_stale: overview.sitesStale,
      meters: overview.meters,
      load_meters: overview.loadMeters,
      load_meters_reporting: overview.loadMetersReporting,
      load_kw: rounded(overview.loadKw),
      alarms_open: overview.alarmsOpen,
      dispatches: { active: overview.active.map(dispatchToWire), upcoming: overview.upcoming.map(dispatchToWire) },
    };
  });

const dispatchToWire = (dispatch: DispatchNow): operator.DispatchOverview => ({
  id: dispatch.id,
  program_id: dispatch.programId,
  program_name: dispatch.programName,
  timezone: dispatch.timezone,
  test: dispatch.test,
  notification_time: formatTimestamp(dispatch.notifiedAt),
  start_time: formatTimestamp(dispatch.start),
  end_time: momentToWire(dispatch.end),
  ramp_until: rampUntil(dispatch),
  accounts: dispatch.notified?.accounts ?? null,
  accounts_notified: dispatch.notified?.accountsNotified ?? null,
  sites: dispatch.sites,
  commitment_kw: rounded(dispatch.commitmentKw),
  delivered_kw: rounded(dispatch.deliveredKw),
  trend_kw: rounded(dispatch.trendKw),
  sites_measured: dispatch.sitesMeasured,
  curve: dispatch.curve === null ? null : curveToWire(dispatch.curve),
  status_limits: limitsToWire(dispatch.statusLimits),
  sites_by_status: dispatch.sitesByStatus,
});

const rampUntil = ({ start, rampUpSeconds }: DispatchNow): string | null =>
  rampUpSeconds === null ? null : formatTimestamp(start.getTime() + rampUpSeconds * 1000);

const curveToWire = ({ fromMs, stepMs, deliveredKw }: ShortCurve): NonNullable<operator.DispatchOverview["curve"]> => ({
  from: formatTimestamp(fromMs),
  step_seconds: stepMs / 1000,
  delivered_kw: deliveredKw.map(rounded),
});
