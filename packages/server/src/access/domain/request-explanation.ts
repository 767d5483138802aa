import type { LoggedRequests } from "./request-log.js";

type Explained = Pick<LoggedRequests, "status" | "method" | "path" | "message">;

/** What to do about an error, in plain words; null without an error or an explanation. */
export const explain = (request: Explained): string | null => rules.find((rule) => fits(rule, request))?.say ?? null;

const fits = (rule: Rule, { status, method, path, message }: Explained): boolean =>
  rule.status === status &&
  (rule.method ?? method) === method &&
  (rule.path?.test(path.split("?")[0] ?? path) ?? true) &&
  (rule.message?.test(message ?? "") ?? true);

interface Rule {
  readonly status: number;
  readonly method?: string;
  readonly path?: RegExp;
  readonly message?: RegExp;
  readonly say: string;
}

/** What to do about an error; the first match counts. */
const rules: readonly Rule[] = [
  {
    status: 401,
    message: /was revoked/,
    say: "A system still sends a revoked key. Configure the replacement key in that system, or issue a new one.",
  },
  {
    status: 401,
    message: /has expired/,
    say: "A system still sends an expired key. Issue a new key and configure it in that system.",
  },
  {
    status: 401,
    message: /account .* is disabled/,
    say: "The operator has disabled the account. Its keys are rejected until it is enabled again.",
  },
  {
    status: 401,
    message: /production API key/,
    say: "A production key was sent to the sandbox. Use a sandbox key for testing, or correct the address for production.",
  },
  {
    status: 401,
    message: /sandbox API key/,
    say: "A sandbox key was sent to production. Use a production key, or correct the address for testing.",
  },
  {
    status: 401,
    say: "The key is not valid: it is mistyped, revoked, expired, or belongs to the other environment. Use an active key, or issue a new one.",
  },
  {
    status: 429,
    method: "GET",
    path: /\/dispatches$/,
    say: "The list of dispatches is polled too often. Poll about every 30 seconds, with one poller per key, and observe Retry-After.",
  },
  {
    status: 429,
    path: /\/telemetry/,
    say: "Too many requests within a minute. Send the readings of many meters in one upload, and observe Retry-After.",
  },
  {
    status: 429,
    say: "Too many requests within a minute. Request data that seldom changes, such as sites, less often, and observe Retry-After.",
  },
  {
    status: 404,
    message: /^Version .* is not served/,
    say: "The system calls a version of the interface that is no longer served. Use the version named in the message, and read its changes.",
  },
  {
    status: 404,
    path: /\/scenarios$/,
    message: /^There is nothing at this address/,
    say: "Scenarios exist in the sandbox only, to list (GET) and to start (POST). Use the sandbox's address with a sandbox key.",
  },
  {
    status: 404,
    message: /^There is nothing at this address/,
    say: "The interface has no such address or method. Check for a typing error, a trailing slash or a missing version. The message names the documentation.",
  },
  {
    status: 404,
    path: /\/webhooks/,
    say: "This account has no such webhook in this environment: it was deleted, or its id belongs to the other environment. GET /webhooks lists them.",
  },
  {
    status: 404,
    path: /\/scenarios/,
    say: "This account has no such scenario: it was deleted, or is past its retention. GET /scenarios lists them.",
  },
  {
    status: 404,
    path: /\/sites/,
    say: "This account has no such site. Check the id: sandbox and production ids differ. GET /sites lists them.",
  },
  {
    status: 404,
    path: /\/dispatches/,
    say: "No dispatch of this account's sites has this id. Check the id: sandbox and production ids differ.",
  },
  { status: 404, say: "The resource does not exist, or belongs to another account. Check the id." },
  {
    status: 400,
    message: /Idempotency-Key/,
    say: "An idempotency key identifies one request: use a new one, such as a UUID, for each request, and reuse it only to retry that request.",
  },
  {
    status: 400,
    message: /content-encoding|content-type|the body|body is/i,
    say: "The body was not accepted. Send JSON in UTF-8 with Content-Type: application/json, within the size limit, and uncompressed; uploads of telemetry may be compressed by gzip.",
  },
  {
    status: 400,
    path: /\/telemetry/,
    message: /interval_seconds/,
    say: "The interval of a reading is not valid: interval_seconds must be a multiple of 30 within the limits in the message. Correct the setting of the device or program that uploads.",
  },
  {
    status: 400,
    path: /\/telemetry/,
    message: /future/,
    say: "A reading is in the future: the clock of the uploading device is ahead, or local time is sent as UTC. Synchronise the clock with NTP and send the offset.",
  },
  {
    status: 400,
    path: /\/telemetry/,
    message: /names no (meter|site)/,
    say: "A meter or site does not belong to this account. Use the ids from GET /sites. Nothing was stored: correct the upload and send it again.",
  },
  {
    status: 400,
    message: /RFC 3339|timestamp|_time/,
    say: "A time was not accepted. Write it with an offset, such as 2026-07-01T18:00:00Z, and see the message for details.",
  },
  {
    status: 400,
    method: "POST",
    path: /\/webhooks/,
    say: "The webhook was not registered. Its address must be public, use https, and answer the test request with status 200.",
  },
  {
    status: 400,
    path: /\/telemetry/,
    say: "Nothing was stored: correct the readings named in the message, and send the upload again.",
  },
  { status: 400, say: "The request is not valid: correct the part named in the message." },
  {
    status: 500,
    say: "Internal error of the service. No partial change was made: send the request again. If the error persists, report the reference in the message to the operator.",
  },
];
