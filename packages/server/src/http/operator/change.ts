import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { tellChanges } from "../change-stream.js";
import { serveEvents } from "../event-stream.js";
import { actorOf, mayGoOn } from "./actor.js";
import type { OperatorPorts } from "./operator-ports.js";

/** What changes, of all accounts. */
export const changeRoutes = (app: FastifyInstance, { changes }: OperatorPorts): void =>
  serveEvents(app, operator.streamChanges, async (request) => ({
    reader: actorOf(request),
    mayGoOn: () => mayGoOn(request),
    begin: (sink) => tellChanges(changes, null, sink),
  }));
