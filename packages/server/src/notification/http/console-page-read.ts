import { participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { callerOf } from "../../access/caller/caller.js";
import type { DispatchService } from "../../dispatch/operations/dispatch-service.js";
import { serve } from "../../platform/http/endpoint.js";
import { done } from "../../platform/refusal.js";
import { type PageReadPorts, recordPageRead } from "../operations/record-page-read.js";

export type PageReadRoutePorts = Omit<PageReadPorts, "dispatches">;

export const pageReadRoute = (
  app: FastifyInstance,
  { stores, clock }: PageReadRoutePorts,
  dispatches: Pick<DispatchService, "findDispatch">,
): void =>
  serve(app, participantConsole.recordPageRead, async ({ params, body, request }) => {
    const read = { dispatchId: params.id, modificationNumber: body.modification_number };
    return done(recordPageRead({ stores, clock, dispatches }, callerOf(request), read));
  });
