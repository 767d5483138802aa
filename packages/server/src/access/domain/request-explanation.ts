import type { LoggedRequests } from "./request-log.js";

type Explained = Pick<LoggedRequests, "status" | "method" | "path" | "message">;

/** In plain words what to do; null where nothing is wrong, or nothing is known. */
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

/** What to do about an error; the first that fits counts. */
const rules: readonly Rule[] = [
  {
    status: 401,
    message: /was revoked/,
    say: "A system still sends a key that was revoked. Give it the key that replaced it, or issue a new one.",
  },
  {
    status: 401,
    message: /has expired/,
    say: "A system still sends a key whose time is over. Issue a new key, and give it to that system.",
  },
  {
    status: 401,
    message: /account .* is disabled/,
    say: "The operator has disabled the account: its keys let nobody in until it is enabled again.",
  },
  {
    status: 401,
    message: /production API key/,
    say: "A production key was sent to the sandbox. For a rehearsal send a key of the sandbox; for production correct the address that the system calls.",
  },
  {
    status: 401,
    message: /sandbox API key/,
    say: "A key of the sandbox was sent to production. Send a production key; for a rehearsal correct the address that the system calls.",
  },
  {
    status: 401,
    say: "The key is not accepted: it is mistyped, revoked, expired, or one of the other environment. Send a key that is in use, or issue a new one.",
  },
  {
    status: 429,
    method: "GET",
    path: /\/dispatches$/,
    say: "The list of dispatches is polled too often. Ask every 30 seconds or so, with one poller for each key, and wait as Retry-After says.",
  },
  {
    status: 429,
    path: /\/telemetry/,
    say: "Too many requests within a minute. Send the readings of many meters in one upload, and wait as Retry-After says.",
  },
  {
    status: 429,
    say: "Too many requests within a minute. Ask for what changes seldom, such as sites, less often, and wait as Retry-After says.",
  },
  {
    status: 404,
    message: /^Version .* is not served/,
    say: "The system calls a version of the interface that is no longer served. Use the version that the message names, and read what changed.",
  },
  {
    status: 404,
    message: /^There is nothing at this address/,
    say: "The interface has no such address, or not with this method: look for a typing error, a slash at the end or a missing version. The message names the documentation.",
  },
  {
    status: 404,
    path: /\/webhooks/,
    say: "This account has no such webhook here: it was deleted, or its id is one of the other environment, production or sandbox. GET /webhooks lists them.",
  },
  {
    status: 404,
    path: /\/scenarios/,
    say: "This account plays no such scenario: it was deleted, or is older than what is kept. GET /scenarios lists them.",
  },
  {
    status: 404,
    path: /\/sites/,
    say: "This account has no such site: check the id; ids of the sandbox are not those of production. GET /sites lists them.",
  },
  {
    status: 404,
    path: /\/dispatches/,
    say: "There is no such dispatch that calls this account's sites: check the id; ids of the sandbox are not those of production.",
  },
  { status: 404, say: "There is no such thing, or it is not this account's: check the id." },
  {
    status: 400,
    message: /Idempotency-Key/,
    say: "A key stands for one request: choose a new one, such as a UUID, for each thing that is to be done, and send it again only with the same request.",
  },
  {
    status: 400,
    message: /content-encoding|content-type|the body|body is/i,
    say: "The body could not be taken: send JSON in UTF-8 with Content-Type: application/json, uncompressed and within the size limit.",
  },
  {
    status: 400,
    path: /\/telemetry/,
    message: /interval_seconds/,
    say: "The length of a reading does not fit: interval_seconds is a multiple of 30 within the limits that the message names. Correct the setting of the device or program that uploads.",
  },
  {
    status: 400,
    path: /\/telemetry/,
    message: /future/,
    say: "A reading lies in the future: the clock of the device that uploads is ahead, or local time is sent as UTC. Set the clock by NTP and send the offset.",
  },
  {
    status: 400,
    path: /\/telemetry/,
    message: /names no (meter|site)/,
    say: "A meter or site is not this account's: take the ids from GET /sites. Nothing of the upload was stored, so send it again once corrected.",
  },
  {
    status: 400,
    message: /RFC 3339|timestamp|_time/,
    say: "A time could not be taken: write it with an offset, as 2026-07-01T18:00:00Z, and heed what the message says of it.",
  },
  {
    status: 400,
    method: "POST",
    path: /\/webhooks/,
    say: "The webhook was not registered: its address has to be public, reachable by https, and to answer the test request with 200.",
  },
  {
    status: 400,
    path: /\/telemetry/,
    say: "Nothing of the upload was stored: correct the places that the message names, and send it again.",
  },
  { status: 400, say: "The request does not follow the interface: correct the place that the message names." },
  {
    status: 500,
    say: "Something failed on the service's side. Nothing is half done: send it again. If it lasts, tell the operator the reference in the message.",
  },
];
