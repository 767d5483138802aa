import type { DeliveryStore, EvidenceStore, PhoneCallStore, WebhookStore } from "./delivery-ports.js";
import type { OwedStore } from "./owed-ports.js";

/** Stores of webhooks, deliveries and owed notices. */
export interface NotificationStores {
  readonly webhooks: WebhookStore;
  readonly deliveries: DeliveryStore;
  readonly evidence: EvidenceStore;
  readonly owed: OwedStore;
  readonly phoneCalls: PhoneCallStore;
}
