import type { AccessStores } from "../../access/operations/access-stores.js";
import type { Caller, Manager } from "../../access/operations/caller.js";
import type { Clock } from "../../platform/clock.js";
import type { Page, PageRequest } from "../../platform/page.js";
import type { Ports } from "../../platform/ports.js";
import { invalid, notFound, type Result } from "../../platform/refusal.js";
import type { Delivery, Resend, ResendPlace } from "../domain/delivery.js";
import type { NotificationStores } from "./notification-stores.js";

/** Resends a delivery at once, out of order and in any state (G32). */
export const resendDelivery = (
  { transact, clock }: Ports<Pick<NotificationStores, "deliveries" | "webhooks"> & Pick<AccessStores, "audit">>,
  { actor, within }: Manager,
  id: string,
) =>
  transact(async (stores): Promise<Result<Delivery>> => {
    const delivery = await stores.deliveries.find(id, within);
    if (delivery === null) return notFound("delivery");
    // Locked, so that it is not deleted meanwhile.
    const webhook = await stores.webhooks.lock(delivery.webhookId, within);
    if (webhook === null) {
      return invalid("the webhook of this delivery was deleted; register one again");
    }
    const at = clock.now();
    if (!(await stores.deliveries.resend(id, at))) return delivery;
    const { webhookId, dispatchId, event, state } = delivery;
    const subject = { id, accountId: webhook.accountId };
    await stores.audit.append({ actor, at }, "delivery.resend", subject, {
      before: { webhookId, dispatchId, event, state },
      after: { webhookId, dispatchId, event, state, resendAt: at },
    });
    return { ...delivery, resendAt: at };
  });

export interface ResendPorts {
  readonly stores: { readonly deliveries: Pick<NotificationStores["deliveries"], "resendsOf"> };
  readonly clock: Clock;
}

const SHOWN_MS = 24 * 3_600_000;

/** Resends of the last day to webhooks of the caller's account, newest first. */
export const listResends = (
  { stores, clock }: ResendPorts,
  { accountId }: Caller,
  page: PageRequest<ResendPlace>,
): Promise<Page<Resend, ResendPlace>> =>
  stores.deliveries.resendsOf(accountId, new Date(clock.now().getTime() - SHOWN_MS), page);
