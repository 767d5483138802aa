import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { actorOf, mayContinue } from "../../access/caller/actor.js";
import type { LoopClock } from "../../platform/clock.js";
import { serveEvents } from "../../platform/http/event-stream.js";
import type { LiveChanges } from "../operations/watch-changes.js";
import { sendChanges } from "./change-stream.js";

export interface ChangeRoutePorts {
  readonly changes: LiveChanges;
  readonly clock: LoopClock;
}

/** Changes of all accounts. */
export const changeRoutes = (app: FastifyInstance, { changes, clock }: ChangeRoutePorts): void =>
  serveEvents(app, clock, operator.streamChanges, async (request) => ({
    reader: actorOf(request),
    mayContinue: () => mayContinue(request),
    begin: (sink) => sendChanges(changes, null, sink),
  }));
