import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { actorOf, mayContinue } from "../../access/caller/actor.js";
import { eachOf, sentTable } from "../../access/http/sent-table.js";
import type { AnswerBudget } from "../../platform/http/answer-budget.js";
import { serve, serveFile } from "../../platform/http/endpoint.js";
import { listedBy } from "../../platform/http/page.js";
import type { Ports } from "../../platform/ports.js";
import { isRefusal } from "../../platform/refusal.js";
import { type EvidenceFileStores, evidenceFile } from "../operations/evidence-file.js";
import { listEvidence } from "../operations/list-evidence.js";
import { EVIDENCE_COLUMNS, evidenceToRow } from "./evidence-table.js";
import { byEvidencePlace, evidenceToWire } from "./wire-evidence.js";

export type EvidenceRoutePorts = Pick<Ports<EvidenceFileStores>, "stores" | "clock">;

export const evidenceRoutes = (app: FastifyInstance, ports: EvidenceRoutePorts, budget: AnswerBudget): void => {
  serve(app, operator.listEvidence, ({ params, query }) =>
    listedBy(query, {
      form: byEvidencePlace,
      list: (page) => listEvidence(ports, questionOf(params, query), page),
      toWire: evidenceToWire,
    }),
  );
  serveFile(app, operator.downloadEvidence, async (call) => {
    const file = await evidenceFile(ports, questionOf(call.params, call.query));
    if (isRefusal(file)) return file;
    const { dispatch, items } = file;
    return sentTable({ reader: actorOf, mayContinue, budget }, call, {
      name: `${dispatch.id}-evidence`,
      format: call.query.format ?? "csv",
      columns: EVIDENCE_COLUMNS,
      rows: eachOf(items, (item) => evidenceToRow(item, { ...file, dispatchId: dispatch.id })),
    });
  });
};

interface EvidenceQuery {
  readonly account_id?: string;
  readonly site_id?: string;
}

const questionOf = ({ id }: { readonly id: string }, query: EvidenceQuery) => ({
  dispatchId: id,
  accountId: query.account_id ?? null,
  siteId: query.site_id ?? null,
});
