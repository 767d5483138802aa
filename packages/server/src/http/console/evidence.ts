import { participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { isRefusal } from "../../domain/refusal.js";
import type { DispatchService } from "../../operations/dispatch-service.js";
import type { EvidencingStores } from "../../operations/list-evidence.js";
import { listEvidence } from "../../operations/list-evidence.js";
import type { Ports } from "../../operations/ports.js";
import { callerOf } from "../caller.js";
import { serve } from "../endpoint.js";
import { listedBy } from "../page.js";
import { byEvidencePlace, evidenceToWire } from "../wire/evidence.js";
import { personOf } from "./person.js";

export type OwnEvidenceRoutePorts = Pick<Ports<EvidencingStores>, "stores" | "clock">;

/** How the caller's own account was told of a dispatch that it sees. */
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
    return listedBy(query, { form: byEvidencePlace, list, toWire: evidenceToWire });
  });
