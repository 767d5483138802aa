import type { Page, PageRequest } from "../../platform/page.js";
import type { Ven, VenCertificate, VenClaim, VenEvent, VenIdentity } from "../domain/ven.js";

export interface VenStore {
  /** false if another VEN has the name. */
  insert(ven: Ven): Promise<boolean>;
  /** Does not find deleted ones, and neither do `lock` and `list`. */
  find(id: string): Promise<Ven | null>;
  lock(id: string): Promise<Ven | null>;
  save(ven: Ven): Promise<void>;
  list(accountId: string, page: PageRequest): Promise<Page<Ven>>;
  remove(id: string, now: Date): Promise<Ven | null>;
}

export interface VenCertificateStore {
  insert(certificate: VenCertificate): Promise<void>;
  /** Newest first. */
  ofVens(vens: readonly string[]): Promise<readonly VenCertificate[]>;
  /** Revokes a certificate of this VEN; null if it has no such one. */
  revoke(ven: Pick<Ven, "id" | "accountId">, fingerprint: string, now: Date): Promise<VenCertificate | null>;
  /** The VEN of a certificate, including revoked, expired and deleted ones. */
  findIdentity(fingerprint: string): Promise<VenIdentity | null>;
}

export interface VenClaimStore {
  insert(claim: VenClaim, tokenHash: Buffer): Promise<void>;
  /** Uses up a valid link; null if it is used, expired or unknown, or if the VEN was deleted. */
  use(tokenHash: Buffer, now: Date): Promise<VenClaim | null>;
}

/** What VENs know about events. */
export interface VenEventStore {
  /** Newest first, as in the next method. */
  ofVen(ven: string, page: PageRequest): Promise<Page<VenEvent>>;
}
