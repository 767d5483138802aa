import { participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { callerOf } from "../../access/caller/caller.js";
import { personOf } from "../../access/caller/person.js";
import type { DispatchService } from "../../dispatch/operations/dispatch-service.js";
import { serve } from "../../platform/http/endpoint.js";
import { listedBy } from "../../platform/http/page.js";
import type { Ports } from "../../platform/ports.js";
import { isRefusal } from "../../platform/refusal.js";
import type { EvidencingStores } from "../operations/list-evidence.js";
import { listEvidence } from "../operations/list-evidence.js";
import { byEvidencePlace, ownEvidenceToWire } from "./wire-evidence.js";

export type OwnEvidenceRoutePorts = Pick<Ports<EvidencingStores>, "stores" | "clock">;

/** How the caller's own account was notified of a dispatch that is visible to it. */
export const ownEvidenceRoutes = (
  app: FastifyInstance,
  ports: OwnEvidenceRoutePorts,
  dispatches: Pick<DispatchService, "findDispatch">,
): void =>
  serve(app, participantConsole.listOwnEvidence, async ({ params, query, request }) => {
    const dispatch = await dispatches.findDispatch(callerOf(request), params.id, "unseen");
    if (isRefusal(dispatch)) return dispatch;
    const question = { dispatchId: params.id, accountId: personOf(request).within, siteId: null };
    const list = (page: Parameters<typeof listEvidence>[2]) => listEvidence(ports, question, page);
    return listedBy(query, { form: byEvidencePlace, list, toWire: ownEvidenceToWire });
  });
