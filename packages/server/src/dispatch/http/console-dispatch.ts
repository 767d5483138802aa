import { participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { personOf } from "../../access/caller/person.js";
import type { Clock } from "../../platform/clock.js";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import type { DispatchStore } from "../operations/dispatch-ports.js";
import { dispatchToWire } from "./wire-dispatch.js";

export interface OwnDispatchRoutePorts {
  readonly stores: { readonly dispatches: Pick<DispatchStore, "pastOf"> };
  readonly clock: Clock;
}

/** Dispatches of the caller's own sites. */
export const ownDispatchRoutes = (app: FastifyInstance, { stores, clock }: OwnDispatchRoutePorts): void =>
  serve(app, participantConsole.listPastDispatches, ({ query, request }) =>
    listed(query, (page) => stores.dispatches.pastOf(personOf(request).within, clock.now(), page), dispatchToWire),
  );
