import { participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { callerMayContinue, callerOf, readerOf } from "../../access/caller/caller.js";
import type { AnswerBudget } from "../../platform/http/answer-budget.js";
import { serve } from "../../platform/http/endpoint.js";
import { isRefusal } from "../../platform/refusal.js";
import { canonicalTimezone } from "../../portfolio/domain/timezone.js";
import { readEnergyBars } from "../operations/energy-bars.js";
import type { EnergyPorts } from "../operations/find-metered.js";
import { serveEnergy } from "./energy.js";
import { energyBarsToWire } from "./wire-energy-bars.js";

const endpoints = { read: participantConsole.getSiteEnergy, download: participantConsole.downloadSiteEnergy };

/** Energy of the caller's own sites. */
export const ownEnergyRoutes = (app: FastifyInstance, ports: EnergyPorts, budget: AnswerBudget): void => {
  serve(app, participantConsole.getEnergyBars, async ({ query, request }) => {
    const { from, to, by, site_id: siteId = null, timezone = null } = query;
    const zone = timezone && canonicalTimezone(timezone);
    const bars = await readEnergyBars(ports, { from, to, by, siteId, timezone: zone, viewer: callerOf(request) });
    return isRefusal(bars) ? bars : energyBarsToWire(bars);
  });
  serveEnergy(app, endpoints, ports, {
    viewer: callerOf,
    reader: readerOf,
    mayContinue: callerMayContinue,
    budget,
  });
};
