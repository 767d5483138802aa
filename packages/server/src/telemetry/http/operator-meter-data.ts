import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { actorOf } from "../../access/caller/actor.js";
import type { CallerTurns } from "../../platform/http/caller-turns.js";
import type { OpenBodies } from "../../platform/http/open-bodies.js";
import type { MeterDataPorts } from "../operations/import-ports.js";
import { serveMeterData } from "./meter-data.js";

/** Import of meter data of any site. */
export const meterDataRoutes = (
  app: FastifyInstance,
  ports: MeterDataPorts,
  limits: { readonly bodies: OpenBodies; readonly imports: CallerTurns },
): void =>
  serveMeterData(app, operator.importMeterData, ports, {
    importer: (request) => ({ actor: actorOf(request), within: null }),
    bodies: limits.bodies,
    turns: limits.imports,
  });
