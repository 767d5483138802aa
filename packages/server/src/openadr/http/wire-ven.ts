import type { operator } from "@curtail/contract";
import { momentToWire } from "../../platform/http/timestamps.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import { shortFingerprint, stateOf, type Ven, type VenCertificate, type VenEvent } from "../domain/ven.js";
import type { Issued } from "../operations/manage-vens.js";

const certificateToWire = (certificate: VenCertificate, now: Date): operator.VenCertificate => ({
  fingerprint: certificate.fingerprint,
  short_fingerprint: shortFingerprint(certificate.fingerprint),
  state: stateOf(certificate, now),
  expires_at: formatTimestamp(certificate.expiresAt),
  revoked_at: momentToWire(certificate.revokedAt),
  created_at: formatTimestamp(certificate.createdAt),
});

/** A VEN with its own among these certificates. */
export const venToWire = (ven: Ven, certificates: readonly VenCertificate[], now: Date): operator.Ven => ({
  id: ven.id,
  account_id: ven.accountId,
  ven_id: ven.venId,
  environment: ven.environment,
  sites: ven.siteIds === null ? "all" : [...ven.siteIds],
  transport: ven.push === null ? "pull" : { push_url: ven.push.url, ca_certificate: ven.push.ca },
  targets: { resource: ven.targetResource, ven_id: ven.targetVenId },
  market_context: ven.marketContext,
  poll_interval_seconds: ven.pollIntervalSeconds,
  created_at: formatTimestamp(ven.createdAt),
  last_poll: momentToWire(ven.lastPollAt),
  last_acknowledgement: momentToWire(ven.lastAcknowledgementAt),
  certificates: certificates
    .filter((certificate) => certificate.ven === ven.id)
    .map((certificate) => certificateToWire(certificate, now)),
});

export const venEventToWire = ({ acknowledged, ...event }: VenEvent): operator.VenEvent => ({
  dispatch_id: event.dispatchId,
  first_shown_at: formatTimestamp(event.firstShownAt),
  modification_number: event.shownModification,
  modification_shown_at: formatTimestamp(event.modificationShownAt),
  acknowledgement:
    acknowledged === null
      ? null
      : {
          modification_number: acknowledged.modificationNumber,
          opt: acknowledged.opt,
          response_code: acknowledged.responseCode,
          at: formatTimestamp(acknowledged.at),
        },
});

/** A certificate in the form its VEN needs. */
export const issuedToWire = ({ certificate, caCertificate }: Issued): operator.IssuedCertificate => ({
  certificate: certificate.pem,
  ca_certificate: caCertificate,
  fingerprint: certificate.fingerprint,
  short_fingerprint: shortFingerprint(certificate.fingerprint),
  expires_at: formatTimestamp(certificate.expiresAt),
});
