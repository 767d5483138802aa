import { ATTEMPT_MS, isRedirect, isSuccess, MAX_REDIRECTS } from "../domain/webhook.js";
import { failedAddress, type NetworkErrorCode, networkErrorCode } from "./network-error.js";
import { nextUrl, type RedirectError } from "./redirect.js";
import { readWithinLimit } from "./response-body.js";
import { signatureHeaders } from "./signature.js";
import type { Trace, WebhookClient, WebhookPost } from "./webhook-client.js";

export interface WebhookRequest {
  readonly url: string;
  /** Sent as it is, to the byte. */
  readonly body: string;
  /** Stays the same over all attempts of a delivery. */
  readonly id: string;
  readonly secrets: readonly string[];
  readonly timestamp: Date;
}

export interface SendOptions {
  readonly client: WebhookClient;
  readonly attemptMs?: number;
}

export type AttemptError =
  | NetworkErrorCode
  | RedirectError
  | "too_many_redirects"
  | "response_too_large"
  | `status_${number}`;

/** What one attempt came to; status, address and response are those of its last hop. */
export interface AttemptOutcome {
  readonly ok: boolean;
  readonly status: number | null;
  readonly durationMs: number;
  readonly address: string | null;
  readonly error: AttemptError | null;
  readonly responseStart: string;
}

/** Written as the attempt goes on, so that a failure still tells how far it came. */
interface Progress {
  status: number | null;
  responseStart: string;
  failedAddress: string | null;
  readonly trace: Trace;
}

/** One attempt of a delivery (G30). Failures of the network and of the receiver are outcomes; only bugs throw. */
export const sendWebhook = async (request: WebhookRequest, options: SendOptions): Promise<AttemptOutcome> => {
  const { client, attemptMs = ATTEMPT_MS } = options;
  const startedMs = performance.now();
  const progress: Progress = { status: null, responseStart: "", failedAddress: null, trace: { address: () => null } };
  const post: WebhookPost = {
    url: new URL(request.url),
    headers: {
      ...signatureHeaders(request, request.secrets),
      "content-type": "application/json",
      "user-agent": "curtail",
    },
    body: request.body,
    signal: AbortSignal.timeout(attemptMs),
    trace: progress.trace,
  };
  const error = await follow(client, post, progress);
  return {
    ok: error === null,
    status: progress.status,
    durationMs: Math.round(performance.now() - startedMs),
    address: progress.failedAddress ?? progress.trace.address(),
    error,
    responseStart: progress.responseStart,
  };
};

const follow = async (client: WebhookClient, post: WebhookPost, progress: Progress): Promise<AttemptError | null> => {
  let url = post.url;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const next = await hop(client, { ...post, url }, progress);
    if (!(next instanceof URL)) return next;
    url = next;
  }
  return "too_many_redirects";
};

/** One request: answers where to go on, what went wrong, or null for success. */
const hop = async (
  client: WebhookClient,
  post: WebhookPost,
  progress: Progress,
): Promise<URL | AttemptError | null> => {
  progress.status = null;
  progress.trace.address = () => null;
  try {
    const { statusCode, headers, body } = await client.post(post);
    progress.status = statusCode;
    if (isRedirect(statusCode)) {
      // Closing before the end makes an error, and nobody reads a redirect's body.
      body.on("error", () => undefined).destroy();
      return nextUrl(post.url, headers["location"]);
    }
    const isWhole = await readWithinLimit(body, (start) => {
      progress.responseStart = start;
    });
    if (!isWhole) return "response_too_large";
    return isSuccess(statusCode) ? null : `status_${statusCode}`;
  } catch (error) {
    if (post.signal.aborted) return "timeout";
    const code = networkErrorCode(error);
    if (code === null) throw error;
    progress.failedAddress = failedAddress(error);
    return code;
  }
};
