import type { Page, PageRequest } from "../../platform/page.js";
import type { Ven, VenCertificate, VenClaim, VenEvent, VenIdentity } from "../domain/ven.js";

export interface VenStore {
  /** False when another VEN has its name. */
  insert(ven: Ven): Promise<boolean>;
  /** Deleted ones are not found, here, by `lock` and by `list`. */
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
  /** Revokes it, if it is this VEN's; null when there is none. */
  revoke(ven: string, fingerprint: string, now: Date): Promise<VenCertificate | null>;
  /** Whose it is, revoked, expired and deleted ones too. */
  findIdentity(fingerprint: string): Promise<VenIdentity | null>;
}

export interface VenClaimStore {
  insert(claim: VenClaim, tokenHash: Buffer): Promise<void>;
  /** Takes a link that is good, once; null for a used, expired or unknown one, and where the VEN is gone. */
  use(tokenHash: Buffer, now: Date): Promise<VenClaim | null>;
}

/** What VENs know of events. */
export interface VenEventStore {
  /** Newest first, as the next one is. */
  ofVen(ven: string, page: PageRequest): Promise<Page<VenEvent>>;
}
