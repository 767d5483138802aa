import type { Actor } from "../domain/account.js";
import type { Page, PageRequest } from "./page.js";

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
export interface AuditedChange {
  readonly before?: unknown;
  readonly after?: unknown;
}

export interface AuditEntry extends Act {
  readonly id: string;
  readonly action: string;
  readonly subject: string;
  readonly accountId: string | null;
  readonly before: unknown;
  readonly after: unknown;
}

/** Which entries a list holds; null: all. `to` is left out. */
export interface AuditFilter {
  readonly accountId: string | null;
  readonly actor: string | null;
  readonly action: string | null;
  readonly subject: string | null;
  readonly from: Date | null;
  readonly to: Date | null;
}

export interface AuditStore {
  append(act: Act, action: string, subject: AuditSubject, change: AuditedChange): Promise<void>;
  list(filter: AuditFilter, page: PageRequest): Promise<Page<AuditEntry>>;
}
