import { participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { personOf } from "../../access/caller/person.js";
import type { CallerTurns } from "../../platform/http/caller-turns.js";
import type { OpenBodies } from "../../platform/http/open-bodies.js";
import type { MeterDataPorts } from "../operations/import-ports.js";
import { serveMeterData } from "./meter-data.js";

/** Import of meter data of the caller's own sites. */
export const ownMeterDataRoutes = (
  app: FastifyInstance,
  ports: MeterDataPorts,
  limits: { readonly bodies: OpenBodies; readonly imports: CallerTurns },
): void =>
  serveMeterData(app, participantConsole.importOwnMeterData, ports, {
    importer: personOf,
    bodies: limits.bodies,
    turns: limits.imports,
  });
