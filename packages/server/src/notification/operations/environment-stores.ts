import type { AccessStores } from "../../access/operations/access-stores.js";
import type { DispatchStores } from "../../dispatch/operations/dispatch-stores.js";
import type { WebhookStores } from "./manage-webhooks.js";
import type { NotificationStores } from "./notification-stores.js";

/** Stores that production and the sandbox both have for integrators: webhooks, deliveries, requests. */
export type EnvironmentStores = WebhookStores &
  Pick<NotificationStores, "deliveries"> &
  Pick<DispatchStores, "dispatches"> &
  Pick<AccessStores, "requests">;
