import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../platform/http/endpoint.js";
import { listedBy } from "../../platform/http/page.js";
import type { Ports } from "../../platform/ports.js";
import type { EvidencingStores } from "../operations/list-evidence.js";
import { listEvidence } from "../operations/list-evidence.js";
import { byEvidencePlace, evidenceToWire } from "./wire-evidence.js";

export type EvidenceRoutePorts = Pick<Ports<EvidencingStores>, "stores" | "clock">;

export const evidenceRoutes = (app: FastifyInstance, ports: EvidenceRoutePorts): void =>
  serve(app, operator.listEvidence, ({ params, query }) => {
    const { account_id: accountId = null, site_id: siteId = null } = query;
    const question = { dispatchId: params.id, accountId, siteId };
    return listedBy(query, {
      form: byEvidencePlace,
      list: (page) => listEvidence(ports, question, page),
      toWire: evidenceToWire,
    });
  });
