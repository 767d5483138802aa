import { participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { callerMayContinue, callerOf, readerOf } from "../../access/caller/caller.js";
import type { LoopClock } from "../../platform/clock.js";
import { serveEvents } from "../../platform/http/event-stream.js";
import type { LiveChanges } from "../operations/watch-changes.js";
import { sendChanges } from "./change-stream.js";

export interface OwnChangeRoutePorts {
  readonly changes: LiveChanges;
  readonly clock: LoopClock;
}

/** Changes that concern the caller's own account. */
export const ownChangeRoutes = (app: FastifyInstance, { changes, clock }: OwnChangeRoutePorts): void =>
  serveEvents(app, clock, participantConsole.streamOwnChanges, async (request) => ({
    reader: readerOf(request),
    mayContinue: () => callerMayContinue(request),
    begin: (sink) => sendChanges(changes, callerOf(request).accountId, sink),
  }));
