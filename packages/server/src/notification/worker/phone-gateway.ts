import { attemptPost } from "../../platform/outbound/post-attempt.js";
import type { WebhookClient } from "../../platform/outbound/webhook-client.js";
import { isRefusingStatus } from "../domain/handover.js";
import { gatewayIdOf, type PhoneChannel, phoneChannels } from "../domain/phone-message.js";
import type { PhoneGateway, PhoneMessage } from "../operations/send-phone-messages.js";

export interface GatewaySettings {
  readonly urls: Readonly<Record<PhoneChannel, string | null>>;
  /** Bearer token; null: none. */
  readonly token: string | null;
}

/** Hands messages to the operator's gateways. A redirect is a failure: it would take the token elsewhere. */
export const phoneGateway = ({ urls, token }: GatewaySettings, client: WebhookClient): PhoneGateway => ({
  channels: phoneChannels.filter((channel) => urls[channel] !== null),
  async send(message) {
    const url = urls[message.channel];
    if (url === null) return { ok: false, error: "no_gateway", isRefused: true };
    const headers = {
      "content-type": "application/json",
      "idempotency-key": message.id,
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    };
    const post = { url: new URL(url), headers, body: JSON.stringify(bodyOf(message)) };
    const { ok, status, error, responseBody } = await attemptPost(post, { client, maxRedirects: 0 });
    if (ok) return { ok: true, gatewayId: gatewayIdOf(responseBody ?? "") };
    return { ok: false, error: error ?? `status_${status}`, isRefused: isRefusingStatus(status) };
  },
});

const bodyOf = ({ id, channel, to, text, language, kind, accountId, dispatchId, isTest }: PhoneMessage) => ({
  id,
  channel,
  to,
  text,
  language,
  kind,
  account_id: accountId,
  dispatch_id: dispatchId,
  test: isTest,
});
