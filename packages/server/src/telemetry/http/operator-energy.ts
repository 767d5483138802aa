import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { actorOf, mayContinue } from "../../access/caller/actor.js";
import type { AnswerBudget } from "../../platform/http/answer-budget.js";
import type { EnergyPorts } from "../operations/find-metered.js";
import { serveEnergy } from "./energy.js";

const endpoints = { read: operator.getAnySiteEnergy, download: operator.downloadAnySiteEnergy };

/** Energy of any site. */
export const energyRoutes = (app: FastifyInstance, ports: EnergyPorts, budget: AnswerBudget): void =>
  serveEnergy(app, endpoints, ports, { viewer: () => "operators", reader: actorOf, mayContinue, budget });
