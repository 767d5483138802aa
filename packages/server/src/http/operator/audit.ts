import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { formatTimestamp } from "../../domain/timestamp.js";
import type { AuditEntry } from "../../operations/ports.js";
import { serve } from "../endpoint.js";
import { listed } from "../page.js";
import type { OperatorPorts } from "./operator-ports.js";

const toWire = ({ accountId, at, ...entry }: AuditEntry) => ({
  ...entry,
  at: formatTimestamp(at),
  account_id: accountId,
});

export const auditRoutes = (app: FastifyInstance, ports: OperatorPorts): void =>
  serve(app, operator.listAudit, ({ query }) => listed(query, (page) => ports.stores.audit.list(page), toWire));
