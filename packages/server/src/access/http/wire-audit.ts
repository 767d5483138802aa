import { operator } from "@curtail/contract";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { AuditAction } from "../domain/audit.js";
import type { AuditEntry } from "../operations/audit-ports.js";
import { auditStateToWire } from "./wire-audit-state.js";

// Compiles only if the contract lists every action.
const published: Readonly<Record<AuditAction, operator.AuditKind>> = operator.auditKinds;
const kinds: ReadonlyMap<string, operator.AuditKind> = new Map(Object.entries(published));

export type NamedEntry = AuditEntry & { readonly actorName: string | null };

/** An entry of any version in this contract's form; without its states if they cannot be read. */
export const auditToWire = ({ action, before, after, ...entry }: NamedEntry): operator.AuditEntry => {
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
