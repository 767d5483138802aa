import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import { moments } from "../../platform/http/timestamps.js";
import type { PageRequest } from "../../platform/page.js";
import { isRefusal } from "../../platform/refusal.js";
import { type BothEnvironments, portsOf } from "../caller/environment-ports.js";
import { actorNames } from "../operations/actor-names.js";
import type { AuditFilter, AuditStore } from "../operations/audit-ports.js";
import type { UserStore } from "../operations/user-ports.js";
import { auditToWire } from "./wire-audit.js";

/** Entries of either environment; user names come from production. */
export type AuditRoutePorts = BothEnvironments<{ readonly stores: { readonly audit: Pick<AuditStore, "list"> } }> & {
  readonly stores: { readonly users: Pick<UserStore, "namesOf"> };
};

export const auditRoutes = (app: FastifyInstance, ports: AuditRoutePorts): void =>
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
      mostElements: operator.MAX_AUDITED_ELEMENTS,
    };
    return listed(query, (page) => namedEntries(ports, query, { filter, page }), auditToWire);
  });

type EnvironmentOf = Parameters<typeof portsOf>[1];

interface Listing {
  readonly filter: AuditFilter;
  readonly page: PageRequest;
}

const namedEntries = async (ports: AuditRoutePorts, query: EnvironmentOf, { filter, page }: Listing) => {
  const { items, next } = await portsOf(ports, query).stores.audit.list(filter, page);
  const nameOf = await actorNames(
    ports.stores.users,
    items.map(({ actor }) => actor),
  );
  return { items: items.map((entry) => ({ ...entry, actorName: nameOf(entry.actor) })), next };
};
