import { participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { callerOf } from "../../access/caller/caller.js";
import { dispatchToWire } from "../../dispatch/http/wire-dispatch.js";
import { limitsToWire } from "../../performance/http/wire-performance.js";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import { moments, spaceAsPlus } from "../../platform/http/timestamps.js";
import { isRefusal } from "../../platform/refusal.js";
import { rounded } from "../../platform/rounded.js";
import {
  type PastDispatch,
  type PastDispatchPorts,
  type PastResult,
  pastDispatches,
} from "../operations/past-dispatches.js";

/** Past dispatches of the caller's own sites, with their results. */
export const pastDispatchRoutes = (app: FastifyInstance, ports: PastDispatchPorts): void =>
  serve(app, participantConsole.listPastDispatches, ({ query, request }) => {
    const { program_id: programId = null, site_id: siteId = null, tests } = query;
    const times = moments({ start_time: spaceAsPlus(query.start_time), end_time: spaceAsPlus(query.end_time) });
    if (isRefusal(times)) return Promise.resolve(times);
    const filter = {
      from: times.start_time ?? null,
      to: times.end_time ?? null,
      programId,
      siteId,
      tests: tests !== "false",
    };
    return listed(query, (page) => pastDispatches(ports, callerOf(request), filter, page), itemToWire);
  });

const itemToWire = ({ dispatch, result, statement }: PastDispatch): participantConsole.PastDispatch => ({
  ...dispatchToWire(dispatch),
  result: resultToWire(result),
  statement: statement === null ? null : { id: statement.id, month: statement.month, state: statement.state },
});

const resultToWire = (result: PastResult): participantConsole.PastDispatch["result"] => ({
  outcome: result.outcome,
  version: result.standing?.version ?? null,
  approved: result.standing?.reason === "approved",
  sites: result.sites,
  measured_sites: result.measuredSites,
  mean_reduction_kw: rounded(result.meanReductionKw),
  performance: rounded(result.performance),
  delivered_energy_kwh: rounded(result.deliveredKwh),
  status_limits: limitsToWire(result.statusLimits),
});
