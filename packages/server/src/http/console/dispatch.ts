import { participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import type { Clock } from "../../operations/clock.js";
import type { DispatchStore } from "../../operations/dispatch-ports.js";
import { serve } from "../endpoint.js";
import { listed } from "../page.js";
import { dispatchToWire } from "../wire/dispatch.js";
import { personOf } from "./person.js";

export interface OwnDispatchRoutePorts {
  readonly stores: { readonly dispatches: Pick<DispatchStore, "pastOf"> };
  readonly clock: Clock;
}

/** Dispatches that called the caller's own account. */
export const ownDispatchRoutes = (app: FastifyInstance, { stores, clock }: OwnDispatchRoutePorts): void =>
  serve(app, participantConsole.listPastDispatches, ({ query, request }) =>
    listed(query, (page) => stores.dispatches.pastOf(personOf(request).within, clock.now(), page), dispatchToWire),
  );
