import { operator, participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { actorOf, mayContinue } from "../../access/caller/actor.js";
import { callerOf } from "../../access/caller/caller.js";
import { personOf } from "../../access/caller/person.js";
import { eachOf, sentTable } from "../../access/http/sent-table.js";
import type { DispatchService } from "../../dispatch/operations/dispatch-service.js";
import type { TableColumns, TableRowOf } from "../../platform/files/table-file.js";
import type { AnswerBudget } from "../../platform/http/answer-budget.js";
import { serve, serveFile } from "../../platform/http/endpoint.js";
import { listedBy } from "../../platform/http/page.js";
import type { Ports } from "../../platform/ports.js";
import { isRefusal } from "../../platform/refusal.js";
import type { Evidence } from "../domain/evidence.js";
import { type EvidenceFileStores, evidenceFile, listEvidence } from "../operations/list-evidence.js";
import { byEvidencePlace, evidenceToWire, ownEvidenceToWire } from "./wire-evidence.js";

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

/** How the caller's own account was notified of a dispatch that is visible to it. */
export const ownEvidenceRoutes = (
  app: FastifyInstance,
  ports: EvidenceRoutePorts,
  dispatches: Pick<DispatchService, "findDispatch">,
): void =>
  serve(app, participantConsole.listOwnEvidence, async ({ params, query, request }) => {
    const dispatch = await dispatches.findDispatch(callerOf(request), params.id, "unseen");
    if (isRefusal(dispatch)) return dispatch;
    const question = { dispatchId: params.id, accountId: personOf(request).within, siteId: null };
    const list = (page: Parameters<typeof listEvidence>[2]) => listEvidence(ports, question, page);
    return listedBy(query, { form: byEvidencePlace, list, toWire: ownEvidenceToWire });
  });

/** Columns of the file of evidence. */
const EVIDENCE_COLUMNS = {
  dispatch_id: "word",
  account_id: "word",
  account_name: "name?",
  site_id: "word?",
  at: "time",
  local_time: "word",
  channel: "word",
  what: "word",
  modification_number: "integer?",
  after_end: "word?",
  number: "integer?",
  status: "integer?",
  address: "name?",
  url: "name?",
  ven_id: "name?",
  opt: "word?",
  reason: "word?",
  error: "name?",
  recipients: "name?",
  detail: "name",
} as const satisfies TableColumns;

/** What a row has besides the entry. */
interface RowContext {
  readonly dispatchId: string;
  readonly accountNameAt: (accountId: string, at: Date) => string | null;
  readonly localTime: (at: Date) => string;
}

const evidenceToRow = (
  item: Evidence,
  { dispatchId, accountNameAt, localTime }: RowContext,
): TableRowOf<typeof EVIDENCE_COLUMNS> => {
  const { channel, what, detail } = evidenceToWire(item);
  return {
    dispatch_id: dispatchId,
    account_id: item.accountId,
    account_name: accountNameAt(item.accountId, item.at),
    site_id: item.siteId,
    at: item.at.getTime(),
    local_time: localTime(item.at),
    channel,
    what,
    modification_number: detail.modification_number ?? null,
    after_end: detail.after_end === undefined ? null : String(detail.after_end),
    number: detail.number ?? null,
    status: detail.status ?? null,
    address: detail.address ?? null,
    url: detail.url ?? null,
    ven_id: detail.ven_id ?? detail.client_name ?? null,
    opt: detail.opt ?? null,
    reason: detail.reason ?? null,
    error: detail.error ?? null,
    recipients: detail.recipients?.map(({ name, email }) => `${name} <${email}>`).join(", ") ?? null,
    detail: JSON.stringify(detail),
  };
};
