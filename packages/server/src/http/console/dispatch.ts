import { participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../endpoint.js";
import { listed } from "../page.js";
import { dispatchToWire } from "../wire/dispatch.js";
import type { ConsolePorts } from "./console-ports.js";
import { personOf } from "./person.js";

/** Dispatches that called the caller's own account. */
export const ownDispatchRoutes = (app: FastifyInstance, { stores, clock }: ConsolePorts): void =>
  serve(app, participantConsole.listPastDispatches, ({ query, request }) =>
    listed(query, (page) => stores.dispatches.pastOf(personOf(request).within, clock.now(), page), dispatchToWire),
  );
