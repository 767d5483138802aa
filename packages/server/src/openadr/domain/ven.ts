import type { Environment } from "../../access/domain/api-key.js";

/** A participant's OpenADR client, as configured. */
export interface Ven {
  readonly id: string;
  readonly accountId: string;
  /** Its OpenADR name: part of the address it polls, and the common name of its certificates. */
  readonly venId: string;
  readonly environment: Environment;
  /** null: all current and future sites of the account. */
  readonly siteIds: readonly string[] | null;
  /** null: it only polls. */
  readonly push: PushAddress | null;
  readonly targetResource: TargetResource;
  readonly targetVenId: boolean;
  /** "program": each program is its own market context. */
  readonly marketContext: "*" | "program";
  readonly pollIntervalSeconds: number;
  readonly createdAt: Date;
  readonly lastPollAt: Date | null;
  readonly lastAcknowledgementAt: Date | null;
}

export type TargetResource = "site_id" | "customer_location_id";

/** Where changed events are pushed to a VEN. */
export interface PushAddress {
  readonly url: string;
  /** Authority (PEM) that verifies its server's certificate; null: the system's trusted authorities. */
  readonly ca: string | null;
}

/** A client certificate of a VEN. */
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

/** An unused one-time link to a key and a certificate. */
export interface VenClaim {
  /** Id of the VEN, `ven_…`. */
  readonly ven: string;
  /** Validity of the certificate. */
  readonly days: number;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** What a VEN knows about an event. */
export interface VenEvent {
  readonly dispatchId: string;
  readonly firstShownAt: Date;
  readonly shownModification: number;
  readonly modificationShownAt: Date;
  /** The newest modification it answered, with its latest answer. */
  readonly acknowledged: VenAcknowledgement | null;
}

export interface VenAcknowledgement {
  readonly modificationNumber: number;
  readonly opt: "optIn" | "optOut";
  /** The VEN's own code for success, usually 200. */
  readonly responseCode: string;
  readonly at: Date;
}

/** An error that a VEN reports for an event, which does not acknowledge it. */
export interface VenError {
  readonly dispatchId: string;
  readonly modificationNumber: number;
  /** The VEN's own code and text. */
  readonly code: string;
  readonly description: string | null;
  readonly at: Date;
}

/** The VEN of a certificate, and everything that may make it invalid. */
export interface VenIdentity {
  readonly ven: Ven;
  readonly certificate: VenCertificate;
  readonly isDeleted: boolean;
  readonly accountDisabled: boolean;
}

/** Whether a VEN may use this certificate now. */
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

/** The current warning step of a certificate; null while its expiry is far off. */
export const warnedDays = (expiresAt: Date, now: Date): WarnedDays | null =>
  WARNED_DAYS.find((days) => expiresAt.getTime() <= now.getTime() + days * DAY_MS) ?? null;

const DAY_MS = 86_400_000;
/** The longest that a dispatch stays listed to VENs after its end or cancellation. */
export const LISTED_AFTER_END_MS = 30 * 60_000;

const SHORT_BYTES = 10;

/** The short form for comparison by people: the last 10 bytes, `AA:BB:…`. */
export const shortFingerprint = (fingerprint: string): string =>
  (fingerprint.toUpperCase().match(/../g) ?? []).slice(-SHORT_BYTES).join(":");

/** How long a VEN may take to acknowledge events it received. */
export const ACKNOWLEDGE_MS = 2 * 60_000;
/** How many of its polling intervals a VEN may miss. */
export const MISSED_INTERVALS = 3;

/** Without the times of its activity, which is no change of the VEN. */
type AuditedVen = Omit<Ven, "lastPollAt" | "lastAcknowledgementAt">;

type AuditedCertificate = Pick<VenCertificate, "fingerprint" | "expiresAt"> & { readonly revokedAt?: Date | null };

declare module "../../access/domain/audit.js" {
  interface Audited {
    ven: { action: "ven.create" | "ven.change" | "ven.delete"; state: AuditedVen };
    certificate: { action: "ven.certify" | "ven.revoke"; state: AuditedCertificate };
    certificate_link: { action: "ven.offer_certificate"; state: { readonly days: number; readonly expiresAt: Date } };
  }
}

declare module "../../platform/journal.js" {
  interface JournalKinds {
    /** What VENs know of a dispatch. */
    ven: "ven.shown" | "ven.answered";
  }
}
