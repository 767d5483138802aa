import type { DeliveryStore, EvidenceStore, WebhookStore } from "./delivery-ports.js";
import type { OwedStore } from "./owed-ports.js";

/** Of webhooks, what was sent, and who is still to be notified. */
export interface NotificationStores {
  readonly webhooks: WebhookStore;
  readonly deliveries: DeliveryStore;
  readonly evidence: EvidenceStore;
  readonly owed: OwedStore;
}
