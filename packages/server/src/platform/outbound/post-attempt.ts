import {
  type AnsweredAttempt,
  ATTEMPT_MS,
  isRedirect,
  isSuccess,
  MAX_REDIRECTS,
  type ResponseStart,
  type SentAttempt,
} from "../attempt.js";
import { failedAddress, type NetworkErrorCode, networkErrorCode } from "./network-error.js";
import { AttemptTimeout, type WebhookClient, type WebhookPost } from "./webhook-client.js";
import type { Progress } from "./webhook-exchange.js";

export interface SendOptions {
  readonly client: WebhookClient;
  readonly attemptMs?: number;
  readonly maxRedirects?: number;
}

export type AttemptError =
  | NetworkErrorCode
  | RedirectError
  | "too_many_redirects"
  | "response_too_large"
  | `status_${number}`;

/** The outcome of one attempt; status, address and response are those of its last hop. */
export interface AttemptOutcome extends Omit<AnsweredAttempt, "at"> {
  readonly error: AttemptError | null;
}

/** Progress of the attempt's last hop, and the address that a failed one tried to reach. */
interface AttemptProgress extends Progress {
  failedAddress: string | null;
}

const noProgress = (): Progress => ({
  status: null,
  contentType: null,
  responseStart: Buffer.alloc(0),
  connection: null,
});

/** One attempt, following redirects. Failures of the network and of the receiver are outcomes; only bugs throw. */
export const attemptPost = async (post: Attempt["post"], options: SendOptions): Promise<AttemptOutcome> => {
  const { client, attemptMs = ATTEMPT_MS, maxRedirects = MAX_REDIRECTS } = options;
  const startedMs = performance.now();
  const progress: AttemptProgress = { ...noProgress(), failedAddress: null };
  const headers = { ...post.headers, "user-agent": "curtail" };
  const error = await follow(
    client,
    { post: { ...post, headers }, endsMs: startedMs + attemptMs, maxRedirects },
    progress,
  );
  return {
    ok: error === null,
    status: progress.status,
    durationMs: Math.round(performance.now() - startedMs),
    address: progress.failedAddress ?? progress.connection?.address ?? null,
    error,
    ...responseOf(progress),
  };
};

/** For attempts whose response is not kept. */
export const withoutResponse = ({
  responseType: _type,
  responseBody: _body,
  ...attempt
}: AttemptOutcome): Omit<SentAttempt, "at"> => attempt;

interface Attempt {
  readonly post: Omit<WebhookPost, "timeoutMs">;
  /** Deadline on the clock of `performance.now()`. */
  readonly endsMs: number;
  readonly maxRedirects: number;
}

const follow = async (
  client: WebhookClient,
  { post, endsMs, maxRedirects }: Attempt,
  progress: AttemptProgress,
): Promise<AttemptError | null> => {
  let url = post.url;
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const timeoutMs = Math.max(Math.round(endsMs - performance.now()), 1);
    const next = await hop(client, { ...post, url, timeoutMs }, progress);
    if (!(next instanceof URL)) return next;
    url = next;
  }
  return "too_many_redirects";
};

/** One request: returns the redirect target, the failure, or null for success. */
const hop = async (
  client: WebhookClient,
  post: WebhookPost,
  progress: AttemptProgress,
): Promise<URL | AttemptError | null> => {
  Object.assign(progress, noProgress());
  try {
    const { status, location, isWhole } = await client.post(post, progress);
    if (isRedirect(status)) return nextUrl(post.url, location);
    if (!isWhole) return "response_too_large";
    return isSuccess(status) ? null : `status_${status}`;
  } catch (error) {
    if (error instanceof AttemptTimeout) return "timeout";
    const code = networkErrorCode(error);
    if (code === null) throw error;
    progress.failedAddress = failedAddress(error);
    return code;
  }
};

const MAX_TYPE_CHARACTERS = 200;

const responseOf = ({ status, contentType, responseStart }: Progress): ResponseStart => ({
  responseType: contentType?.slice(0, MAX_TYPE_CHARACTERS).replaceAll(/[^ -~]/g, "\uFFFD") ?? null,
  responseBody: status === null ? null : textOf(responseStart),
});

/** PostgreSQL text cannot hold a NUL; the others could steer a terminal. Tabs and line breaks stay. */
const CONTROLS = /(?![\t\r\n])\p{Cc}/gu;

/** `stream` drops a character cut in half. */
const textOf = (bytes: Buffer): string =>
  bytes.length === 0 ? "" : new TextDecoder().decode(bytes, { stream: true }).replaceAll(CONTROLS, "\uFFFD");

type RedirectError = "redirect_without_location" | "redirect_refused";

/** The target of a redirect, or why it is not followed: http(s) only, never from https down to http (G30). */
export const nextUrl = (from: URL, location: string | string[] | undefined): URL | RedirectError => {
  if (location === undefined || location === "") return "redirect_without_location";
  // With several Location headers it is unclear which one an intermediary checked.
  if (typeof location !== "string" || !URL.canParse(location, from.href)) return "redirect_refused";
  const next = new URL(location, from);
  return isFollowed(from, next) ? next : "redirect_refused";
};

const isFollowed = (from: URL, next: URL): boolean => {
  if (next.username !== "" || next.password !== "") return false;
  return next.protocol === "https:" || (next.protocol === "http:" && from.protocol === "http:");
};
