import type { Page, PageRequest } from "../../platform/page.js";
import type { Ven, VenCertificate, VenClaim, VenEvent } from "../domain/ven.js";

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

/** Stores of VENs. */
export interface OpenadrStores {
  readonly vens: VenStore;
  readonly venCertificates: VenCertificateStore;
  readonly venClaims: VenClaimStore;
  readonly venEvents: VenEventStore;
  readonly venPushes: VenPushes;
}

/** VENs that may be due what other VENs got before. */
interface ChangedVens {
  readonly venIds: readonly string[];
  /** Of these all. */
  readonly accountIds: readonly string[];
}

/** Writes what VENs with an address are to be pushed; what they got, or is written already, stays. */
export interface VenPushes {
  /** The current modification of dispatches that were notified. */
  ofDispatches(dispatchIds: readonly string[], at: Date): Promise<void>;
  /** All current dispatches of these. */
  ofVens(changed: ChangedVens, at: Date): Promise<void>;
  /** From the state alone; returns whether anything was missing. */
  rebuild(at: Date): Promise<boolean>;
}
