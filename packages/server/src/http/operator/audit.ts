import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { isRefusal } from "../../domain/refusal.js";
import { formatTimestamp } from "../../domain/timestamp.js";
import type { AuditEntry } from "../../operations/audit-ports.js";
import { serve } from "../endpoint.js";
import { listed } from "../page.js";
import { moments } from "../timestamps.js";
import { type OperatorPorts, portsOf } from "./operator-ports.js";

const toWire = ({ accountId, at, ...entry }: AuditEntry) => ({
  ...entry,
  at: formatTimestamp(at),
  account_id: accountId,
});

export const auditRoutes = (app: FastifyInstance, ports: OperatorPorts): void =>
  serve(app, operator.listAudit, async ({ query }) => {
    const times = moments({ from: query.from, to: query.to });
    if (isRefusal(times)) return times;
    const filter = {
      accountId: query.account_id ?? null,
      actor: query.actor ?? null,
      action: query.action ?? null,
      subject: query.subject ?? null,
      from: times.from ?? null,
      to: times.to ?? null,
    };
    return listed(query, (page) => portsOf(ports, query).stores.audit.list(filter, page), toWire);
  });
