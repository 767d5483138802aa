import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import type { EnergyPorts } from "../../operations/find-metered.js";
import type { AnswerBudget } from "../answer-budget.js";
import { serveEnergy } from "../energy.js";
import { actorOf, mayGoOn } from "./actor.js";

const endpoints = { read: operator.getAnySiteEnergy, download: operator.downloadAnySiteEnergy };

/** Energy of any site. */
export const energyRoutes = (app: FastifyInstance, ports: EnergyPorts, budget: AnswerBudget): void =>
  serveEnergy(app, endpoints, ports, { viewer: () => "operators", reader: actorOf, mayGoOn, budget });
