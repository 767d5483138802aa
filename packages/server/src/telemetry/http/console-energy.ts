import { participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { callerMayContinue, callerOf, readerOf } from "../../access/caller/caller.js";
import type { AnswerBudget } from "../../platform/http/answer-budget.js";
import type { EnergyPorts } from "../operations/find-metered.js";
import { serveEnergy } from "./energy.js";

const endpoints = { read: participantConsole.getSiteEnergy, download: participantConsole.downloadSiteEnergy };

/** Energy of the caller's own sites. */
export const ownEnergyRoutes = (app: FastifyInstance, ports: EnergyPorts, budget: AnswerBudget): void =>
  serveEnergy(app, endpoints, ports, {
    viewer: callerOf,
    reader: readerOf,
    mayContinue: callerMayContinue,
    budget,
  });
