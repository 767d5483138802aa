import { participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import type { EnergyPorts } from "../../operations/find-metered.js";
import { callerMayGoOn, callerOf } from "../caller.js";
import { serveEnergy } from "../energy.js";

const endpoints = { read: participantConsole.getSiteEnergy, download: participantConsole.downloadSiteEnergy };

/** Energy of the caller's own sites. */
export const ownEnergyRoutes = (app: FastifyInstance, ports: EnergyPorts): void =>
  serveEnergy(app, endpoints, ports, { within: (request) => callerOf(request).accountId, mayGoOn: callerMayGoOn });
