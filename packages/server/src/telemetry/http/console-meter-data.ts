import { participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { personOf } from "../../access/caller/person.js";
import type { OpenBodies } from "../../platform/http/open-bodies.js";
import type { MeterDataPorts } from "../operations/import-ports.js";
import { type ImportTurns, serveMeterData } from "./meter-data.js";

/** Import of meter data of the caller's own sites. */
export const ownMeterDataRoutes = (
  app: FastifyInstance,
  ports: MeterDataPorts,
  limits: { readonly bodies: OpenBodies; readonly imports: ImportTurns },
): void =>
  serveMeterData(app, participantConsole.importOwnMeterData, ports, {
    importer: personOf,
    bodies: limits.bodies,
    turns: limits.imports,
  });
