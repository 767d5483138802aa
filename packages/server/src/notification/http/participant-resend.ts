import { createHash } from "node:crypto";
import { listResends, type ReplyOf } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { callerOf } from "../../access/caller/caller.js";
import { leaveOutOfLog } from "../../access/http/request-log.js";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import { formatSecond } from "../../platform/timestamp.js";
import type { Resend } from "../domain/delivery.js";
import type { WebhookService } from "../operations/webhook-service.js";

/** Resends to webhooks of the caller's account, for systems that follow them without a webhook. */
export const resendRoute = (app: FastifyInstance, service: Pick<WebhookService, "listResends">): void =>
  serve(app, listResends, ({ query, request }) => {
    // Otherwise following them would fill the log.
    leaveOutOfLog(request);
    return listed(query, (page) => service.listResends(callerOf(request), page), resendToWire);
  });

type WireResend = ReplyOf<typeof listResends>["items"][number];

const resendToWire = (resend: Resend): WireResend => ({
  id: idOf(resend),
  at: formatSecond(resend.at),
  delivery_id: resend.deliveryId,
  webhook_id: resend.webhookId,
  event: resend.event,
  dispatch_id: resend.dispatchId,
  modification_number: resend.modificationNumber,
});

/** The number of its audit entry would tell accounts how much happens elsewhere. A delivery has one resend at a time. */
const idOf = ({ deliveryId, at }: Resend): string =>
  `rsn_${createHash("sha256").update(`${deliveryId} ${at.getTime()}`).digest("hex").slice(0, ID_DIGITS)}`;

const ID_DIGITS = 16;
