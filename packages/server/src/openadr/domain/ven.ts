import type { Environment } from "../../access/domain/api-key.js";

/** A participant's OpenADR client, as it was set up. */
export interface Ven {
  readonly id: string;
  readonly accountId: string;
  /** Its own name: in the address it polls, and the common name of its certificates. */
  readonly venId: string;
  readonly environment: Environment;
  /** Null: all sites of the account, those to come too. */
  readonly siteIds: readonly string[] | null;
  /** Null: it only polls. */
  readonly push: PushAddress | null;
  readonly targetResource: TargetResource;
  readonly targetVenId: boolean;
  /** "program": each program is a market context of its own. */
  readonly marketContext: "*" | "program";
  readonly pollIntervalSeconds: number;
  readonly createdAt: Date;
  readonly lastPollAt: Date | null;
  readonly lastAcknowledgementAt: Date | null;
}

export type TargetResource = "site_id" | "customer_location_id";

/** Where events are sent to a VEN as they change. */
export interface PushAddress {
  readonly url: string;
  /** Authority (PEM) that its server's certificate is checked against; null: those that the machine trusts. */
  readonly ca: string | null;
}

/** What a VEN proves itself with. */
export interface VenCertificate {
  /** SHA-256 in lower-case hex. */
  readonly fingerprint: string;
  /** Id of the VEN, `ven_…`. */
  readonly ven: string;
  readonly pem: string;
  readonly notBefore: Date;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  readonly createdAt: Date;
}

/** A one-time link to a key and a certificate, not used yet. */
export interface VenClaim {
  /** Id of the VEN, `ven_…`. */
  readonly ven: string;
  /** How long the certificate will be good. */
  readonly days: number;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** What a VEN knows of an event. */
export interface VenEvent {
  readonly dispatchId: string;
  readonly firstShownAt: Date;
  readonly shownModification: number;
  readonly modificationShownAt: Date;
  /** The newest modification it answered, with its latest answer to it. */
  readonly acknowledged: VenAcknowledgement | null;
}

export interface VenAcknowledgement {
  readonly modificationNumber: number;
  readonly opt: "optIn" | "optOut";
  /** The VEN's own code, a success: 200 as a rule. */
  readonly responseCode: string;
  readonly at: Date;
}

/** An error that a VEN reports about an event: it has not acknowledged it. */
export interface VenError {
  readonly dispatchId: string;
  readonly modificationNumber: number;
  /** The VEN's own code and text. */
  readonly code: string;
  readonly description: string | null;
  readonly at: Date;
}

/** Whose certificate this is, and all that speaks against it. */
export interface VenIdentity {
  readonly ven: Ven;
  readonly certificate: VenCertificate;
  readonly isDeleted: boolean;
  readonly accountDisabled: boolean;
}

/** Whether a VEN may speak with this certificate now. */
export const isAccepted = ({ certificate, isDeleted, accountDisabled }: VenIdentity, now: Date): boolean =>
  stateOf(certificate, now) === "valid" && !isDeleted && !accountDisabled;

export type CertificateState = "valid" | "revoked" | "expired";

export const stateOf = ({ revokedAt, expiresAt }: VenCertificate, now: Date): CertificateState => {
  if (revokedAt !== null) return "revoked";
  return expiresAt <= now ? "expired" : "valid";
};

/** Days before expiry at which a new alarm is raised; 0 once the certificate has expired. */
export const WARNED_DAYS = [0, 7, 30, 60] as const;
export type WarnedDays = (typeof WARNED_DAYS)[number];

/** The step that a certificate has come to; null while its end is far. */
export const warnedDays = (expiresAt: Date, now: Date): WarnedDays | null =>
  WARNED_DAYS.find((days) => expiresAt.getTime() <= now.getTime() + days * DAY_MS) ?? null;

const DAY_MS = 86_400_000;
/** How long after its end, or its cancel, a dispatch may still be listed to VENs at most. */
export const LISTED_AFTER_END_MS = 30 * 60_000;

const SHORT_BYTES = 10;

/** The form that VENs and people compare: the last 10 bytes, `AA:BB:…`. */
export const shortFingerprint = (fingerprint: string): string =>
  (fingerprint.toUpperCase().match(/../g) ?? []).slice(-SHORT_BYTES).join(":");

/** How long a VEN may take to acknowledge what it was shown. */
export const ACKNOWLEDGE_MS = 2 * 60_000;
/** How many of its intervals a VEN may let pass without a poll. */
export const MISSED_INTERVALS = 3;

/** What it does is no change of the VEN. */
type AuditedVen = Omit<Ven, "lastPollAt" | "lastAcknowledgementAt">;

type AuditedCertificate = Pick<VenCertificate, "fingerprint" | "expiresAt"> & { readonly revokedAt?: Date | null };

declare module "../../access/domain/audit.js" {
  interface Audited {
    ven: { action: "ven.create" | "ven.change" | "ven.delete"; state: AuditedVen };
    certificate: { action: "ven.certify" | "ven.revoke"; state: AuditedCertificate };
    certificate_link: { action: "ven.offer_certificate"; state: { readonly days: number; readonly expiresAt: Date } };
  }
}
