import type { Actor } from "../../access/domain/account.js";
import type { AccessStores } from "../../access/operations/access-stores.js";
import type { Ports } from "../../platform/ports.js";
import { invalid, notFound, type Refusal, type Result } from "../../platform/refusal.js";
import type { Statement, StatementVersion } from "../domain/statement.js";
import type { SettlementStores } from "./settlement-stores.js";

export type StatementApprovingStores = Pick<SettlementStores, "statements"> & Pick<AccessStores, "audit">;

export interface StatementApproval {
  readonly statementId: string;
  /** The version that the operator has seen; it must be the newest. */
  readonly version: number;
  readonly note: string;
}

/**
 * Approves the newest version of a statement as a version of its own: it does not change any more, and what comes later
 * is listed beside it. Results that are not final by then do not prevent it.
 */
export const approveStatement = (
  { transact, clock }: Ports<StatementApprovingStores>,
  actor: Actor,
  { statementId, version, note }: StatementApproval,
) =>
  transact(async (stores): Promise<Result<readonly StatementVersion[]>> => {
    const statement = await stores.statements.lock(statementId);
    if (statement === null) return notFound("statement");
    if (note.trim() === "") return invalid("note is blank; say why the statement is approved");
    const versions = await stores.statements.versions(statementId);
    const newest = versions.at(-1);
    if (newest === undefined) return notFound("statement");
    const at = clock.now();
    const refusal = refuseApproval(statement, { newest: newest.version, version, at });
    if (refusal !== null) return refusal;
    const { programs, totals } = newest;
    const none = { changes: [], changeCount: 0, traces: [], traceCount: 0 } as const;
    const approved: StatementVersion = {
      version: version + 1,
      at,
      reason: "approved",
      actor,
      note,
      ...none,
      programs,
      totals,
    };
    await stores.statements.addVersion(statementId, approved);
    const { id, accountId, month } = statement;
    const after = { id, accountId, month, version: approved.version, note };
    await stores.audit.append({ actor, at }, "statement.approve", { id, accountId }, { after });
    return [...versions, approved];
  });

interface Wanted {
  readonly newest: number;
  readonly version: number;
  readonly at: Date;
}

const refuseApproval = ({ endsAt, month }: Statement, { newest, version, at }: Wanted): Refusal | null => {
  if (at < endsAt) return invalid(`${month} is not over; approve the statement once it is`);
  if (newest === version) return null;
  return invalid(`version ${version} is not the newest; look at version ${newest}, and approve that`);
};
