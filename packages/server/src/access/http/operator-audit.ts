import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import { moments } from "../../platform/http/timestamps.js";
import type { PageRequest } from "../../platform/page.js";
import { isRefusal } from "../../platform/refusal.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import { type BothEnvironments, portsOf } from "../caller/environment-ports.js";
import type { AuditAction } from "../domain/audit.js";
import type { AuditEntry, AuditFilter, AuditStore } from "../operations/access-stores.js";
import { actorNames } from "../operations/actor-names.js";
import type { UserStore } from "../operations/user-ports.js";
import { auditStateToWire } from "./wire-audit-state.js";

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

// Compiles only if the contract lists every action.
const published: Readonly<Record<AuditAction, operator.AuditKind>> = operator.auditKinds;
const kinds: ReadonlyMap<string, operator.AuditKind> = new Map(Object.entries(published));

type NamedEntry = AuditEntry & { readonly actorName: string | null };

/** An entry of any version in this contract's form; without its states if they cannot be read. */
const auditToWire = ({ action, before, after, ...entry }: NamedEntry): operator.AuditEntry => {
  const common = {
    id: entry.id,
    at: formatTimestamp(entry.at),
    actor: entry.actor,
    actor_name: entry.actorName,
    subject: entry.subject,
    account_id: entry.accountId,
  };
  const kind = kinds.get(action);
  const states = kind === undefined ? null : statesOf(kind, { before, after });
  if (kind === undefined || states === null) return { ...common, subject_kind: "other", action };
  // The states match the schema of the kind, and the action is one of the kind's.
  return { ...common, subject_kind: kind, action, ...states } as operator.AuditEntry;
};

const statesOf = (kind: operator.AuditKind, stored: Pick<AuditEntry, "before" | "after">) => {
  const [before, after] = [auditStateToWire(kind, stored.before), auditStateToWire(kind, stored.after)];
  return before === undefined || after === undefined ? null : { before, after };
};
