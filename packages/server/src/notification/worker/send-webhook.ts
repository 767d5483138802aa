import { type AttemptOutcome, attemptPost, type SendOptions } from "../../platform/outbound/post-attempt.js";
import { signatureHeaders } from "./signature.js";

export interface WebhookRequest {
  readonly url: string;
  /** Sent byte for byte. */
  readonly body: string;
  /** The same for all attempts of a delivery. */
  readonly id: string;
  readonly secrets: readonly string[];
  readonly timestamp: Date;
  /** W3C trace context; null: none. The signature is over id, time and body, and not over it. */
  readonly traceparent?: string | null;
}

/** One attempt of a delivery (G30). */
export const sendWebhook = (request: WebhookRequest, options: SendOptions): Promise<AttemptOutcome> =>
  attemptPost(
    {
      url: new URL(request.url),
      headers: headersOf(request),
      body: request.body,
    },
    options,
  );

const headersOf = (request: WebhookRequest): Readonly<Record<string, string>> => {
  const headers = { ...signatureHeaders(request, request.secrets), "content-type": "application/json" };
  const { traceparent = null } = request;
  return traceparent === null ? headers : { ...headers, traceparent };
};
