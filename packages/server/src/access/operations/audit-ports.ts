import type { Page, PageRequest } from "../../platform/page.js";
import type { Actor } from "../domain/account.js";
import type { AuditAction, AuditState, StoredState } from "../domain/audit.js";

/** Who acted, and when. */
export interface Act {
  readonly actor: Actor;
  readonly at: Date;
}

export interface AuditSubject {
  readonly id: string;
  readonly accountId: string | null;
}

/** State before and after; absent before a creation and after a deletion. */
interface AuditedChange<A extends AuditAction> {
  readonly before?: AuditState<A> | null;
  readonly after?: AuditState<A>;
}

/** An entry as written by any version. */
export interface AuditEntry extends Act {
  readonly id: string;
  readonly action: string;
  readonly subject: string;
  readonly accountId: string | null;
  readonly before: StoredState | null;
  readonly after: StoredState | null;
}

/** Filter of a list; null: no restriction. `to` is exclusive. */
export interface AuditFilter {
  readonly accountId: string | null;
  readonly actor: string | null;
  readonly action: string | null;
  readonly subject: string | null;
  readonly from: Date | null;
  readonly to: Date | null;
  /** Limit per list of a state; further elements are counted. */
  readonly mostElements: number;
}

export interface AuditStore {
  append<A extends AuditAction>(act: Act, action: A, subject: AuditSubject, change: AuditedChange<A>): Promise<void>;
  list(filter: AuditFilter, page: PageRequest): Promise<Page<AuditEntry>>;
}
