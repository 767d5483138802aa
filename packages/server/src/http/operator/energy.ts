import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { serveEnergy } from "../energy.js";
import { mayGoOn } from "./actor.js";
import type { OperatorPorts } from "./operator-ports.js";

const endpoints = { read: operator.getAnySiteEnergy, download: operator.downloadAnySiteEnergy };

/** Energy of any site. */
export const energyRoutes = (app: FastifyInstance, ports: OperatorPorts): void =>
  serveEnergy(app, endpoints, ports, { within: () => null, mayGoOn });
