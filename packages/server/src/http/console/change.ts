import { participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import type { LiveChanges } from "../../operations/watch-changes.js";
import { callerMayGoOn, callerOf, readerOf } from "../caller.js";
import { tellChanges } from "../change-stream.js";
import { serveEvents } from "../event-stream.js";

export interface OwnChangeRoutePorts {
  readonly changes: LiveChanges;
}

/** What changes for the caller's own account. */
export const ownChangeRoutes = (app: FastifyInstance, { changes }: OwnChangeRoutePorts): void =>
  serveEvents(app, participantConsole.streamOwnChanges, async (request) => ({
    reader: readerOf(request),
    mayGoOn: () => callerMayGoOn(request),
    begin: (sink) => tellChanges(changes, callerOf(request).accountId, sink),
  }));
