import type { VenPushes } from "./expand-pushes.js";
import type { VenCertificateStore, VenClaimStore, VenEventStore, VenStore } from "./ven-ports.js";

/** Stores of VENs. */
export interface OpenadrStores {
  readonly vens: VenStore;
  readonly venCertificates: VenCertificateStore;
  readonly venClaims: VenClaimStore;
  readonly venEvents: VenEventStore;
  readonly venPushes: VenPushes;
}
