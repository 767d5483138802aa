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
}

/** One attempt of a delivery (G30). */
export const sendWebhook = (request: WebhookRequest, options: SendOptions): Promise<AttemptOutcome> =>
  attemptPost(
    {
      url: new URL(request.url),
      headers: { ...signatureHeaders(request, request.secrets), "content-type": "application/json" },
      body: request.body,
    },
    options,
  );
