import { createHash } from "node:crypto";
import { listResends, type ReplyOf } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { callerOf } from "../../access/caller/caller.js";
import { leaveOutOfLog } from "../../access/caller/request-log.js";
import { serve } from "../../platform/http/endpoint.js";
import { type CursorForm, listedBy } from "../../platform/http/page.js";
import type { PageRequest } from "../../platform/page.js";
import { formatSecond } from "../../platform/timestamp.js";
import type { Resend, ResendPlace } from "../domain/delivery.js";
import type { WebhookService } from "../operations/webhook-service.js";

/** Resends to webhooks of the caller's account, for systems that follow them without a webhook. */
export const resendRoute = (app: FastifyInstance, service: Pick<WebhookService, "listResends">): void =>
  serve(app, listResends, ({ query, request }) => {
    // Otherwise following them would fill the log.
    leaveOutOfLog(request);
    const list = (page: PageRequest<ResendPlace>) => service.listResends(callerOf(request), page);
    return listedBy(query, { form: byResendPlace, list, toWire: resendToWire });
  });

const resendToWire = (resend: Resend): ReplyOf<typeof listResends>["items"][number] => ({
  id: idOf(resend),
  at: formatSecond(resend.at),
  delivery_id: resend.deliveryId,
  webhook_id: resend.webhookId,
  event: resend.event,
  dispatch_id: resend.dispatchId,
  modification_number: resend.modificationNumber,
});

/** The number of its audit entry would tell accounts how much happens elsewhere, here and in cursors. */
const idOf = ({ deliveryId, at }: Resend): string =>
  `rsn_${createHash("sha256").update(`${deliveryId} ${at.getTime()}`).digest("hex").slice(0, ID_DIGITS)}`;

const ID_DIGITS = 16;

const byResendPlace: CursorForm<ResendPlace> = {
  write: ({ at, deliveryId }) => `n${at.getTime()}.${deliveryId}`,
  read(text) {
    const [, ms, deliveryId] = /^n(\d{1,15})\.(\w{1,100})$/.exec(text) ?? [];
    return ms === undefined || deliveryId === undefined ? null : { at: new Date(Number(ms)), deliveryId };
  },
};
