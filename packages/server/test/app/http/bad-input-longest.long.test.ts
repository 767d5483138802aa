import { auth, type Endpoint, endpoints, operator, participantConsole, sandboxEndpoints } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { sendTimed } from "../../support/event-loop.js";
import { ALL_HEADERS, HANDLED_HEADERS, longestOf } from "../../support/longest.js";
import { newBrowser } from "../../support/people.js";
import { OPERATOR_TOKEN, type Participant, type Running, running } from "../../support/running.js";

/** Just below what bodies may have: without a key, with one, and in uploads. A fifth of it outside CI, to save half a minute. */
const share = process.env["CI"] === undefined ? 0.2 : 1;
const KEYLESS_BYTES = 16_000;
const USUAL_BYTES = 250_000 * share;
const UPLOAD_BYTES = 5_000_000 * share;
const MOST_ANSWERED_BYTES = 8192;
/** The client runs in this process too. */
const MOST_BLOCKED_MS = 100;
/** Includes what the client creates and the collector has not freed yet. */
const MOST_GROWN_BYTES = 800 * 1024 * 1024;

let service: Running;
let anna: Participant;
let token: string;
let adminToken: string;

beforeAll(async () => {
  service = await running({ CURTAIL_RATE_LIMIT: "1000000", CURTAIL_RATE_LIMIT_DISPATCHES: "1000000" });
  anna = await service.newParticipant();
  ({ token } = await newBrowser(service, "participant-admin", anna.accountId));
  ({ token: adminToken } = await newBrowser(service, "operator-admin"));
});

interface Interface {
  readonly of: string;
  readonly endpoints: readonly Endpoint[];
  readonly base: () => string;
  readonly headers: () => Record<string, string>;
  /** Roughly the limit of a body. */
  readonly bytes: number;
  /** Whether handlers of its own read who calls. */
  readonly isBeforeSignIn?: true;
}

const isUpload = ({ id }: Endpoint): boolean => id.startsWith("upload");

const interfaces: Interface[] = [
  {
    of: "a participant",
    endpoints,
    base: () => `${service.url}/2022-04-15`,
    bytes: USUAL_BYTES,
    headers: () => ({ "x-service-api-key": anna.key }),
  },
  {
    of: "the public key in the sandbox",
    endpoints: [...endpoints, ...sandboxEndpoints],
    base: () => `${service.sandboxUrl}/2022-04-15`,
    bytes: USUAL_BYTES,
    headers: () => ({ "x-service-api-key": "sandbox-public-key" }),
  },
  {
    of: "the operator",
    endpoints: operator.operatorEndpoints,
    base: () => `${service.url}/operator/v1`,
    bytes: USUAL_BYTES,
    headers: () => ({ authorization: `Bearer ${OPERATOR_TOKEN}` }),
  },
  {
    of: "a participant's person",
    endpoints: participantConsole.consoleEndpoints,
    base: () => `${service.url}/console/v1`,
    bytes: USUAL_BYTES,
    headers: () => ({ cookie: `curtail_session=${token}` }),
  },
  {
    of: "whoever signs in",
    isBeforeSignIn: true,
    // Signing out would end the session that the others need.
    endpoints: auth.authEndpoints.filter(({ id }) => id !== "signOut"),
    base: () => `${service.url}/auth`,
    bytes: KEYLESS_BYTES,
    headers: () => ({ cookie: `curtail_session=${adminToken}` }),
  },
  {
    of: "nobody",
    isBeforeSignIn: true,
    endpoints: ["/", "/2022-04-15", "/claim/x", "/claim/ven/x", "/invitation/x", "/first-user/x", "/dispatches"].map(
      (path) => ({ id: path, method: "POST", path, tag: "", summary: "", description: "" }),
    ),
    base: () => service.url,
    bytes: KEYLESS_BYTES,
    headers: () => ({}),
  },
];

/**
 * What an interface does with most headers it does in hooks, before any handler: the first endpoint of each method has all of them,
 * as do those with a parser of their own.
 */
const headersTo = (of: Interface, endpoint: Endpoint): readonly string[] => {
  const isFirst = of.endpoints.find(({ method }) => method === endpoint.method) === endpoint;
  const isRead = of.isBeforeSignIn === true || endpoint.takes !== undefined || isUpload(endpoint);
  return isFirst || isRead ? ALL_HEADERS : HANDLED_HEADERS;
};

describe.for(interfaces.map((each) => [each.of, each] as const))("the longest of everything, sent by %s", ([, of]) => {
  test.for(of.endpoints.map((each) => [`${each.method} ${each.path}`, each] as const))(
    "to %s",
    { timeout: 120_000 },
    async ([, endpoint]) => {
      const bytes = isUpload(endpoint) ? UPLOAD_BYTES : of.bytes;
      const rssBefore = process.memoryUsage().rss;
      for (const request of longestOf(endpoint, bytes, headersTo(of, endpoint))) {
        const { method, path, body } = request;
        const headers = { ...of.headers(), ...request.headers };
        const answer = await sendTimed(of.base() + path, { method, headers, body }, MOST_BLOCKED_MS);
        const what = `${request.what}, ${body?.length ?? 0} bytes: ${answer.text.slice(0, 300)}`;
        expect(answer.status, what).toBeLessThan(500);
        if (answer.status >= 400) expect(Buffer.byteLength(answer.text), what).toBeLessThanOrEqual(MOST_ANSWERED_BYTES);
        expect(answer.blockedMs, what).toBeLessThan(MOST_BLOCKED_MS);
      }
      expect(process.memoryUsage().rss - rssBefore).toBeLessThan(MOST_GROWN_BYTES);
    },
  );
});

test("a custom scenario with a label of a megabyte neither blocks the service nor comes back", async () => {
  const body = JSON.stringify({
    scenario_type: "custom",
    dispatches: { ["L".repeat(1_000_000)]: { states: Array.from({ length: 300 }, () => ({})) } },
  });
  const headers = { "x-service-api-key": "sandbox-public-key" };
  const answer = await sendTimed(
    `${service.sandboxUrl}/2022-04-15/scenarios`,
    { method: "POST", headers, body },
    MOST_BLOCKED_MS,
  );
  expect(answer.status).toBe(400);
  expect(answer.text.length).toBeLessThan(MOST_ANSWERED_BYTES);
  expect(answer.blockedMs).toBeLessThan(MOST_BLOCKED_MS);
});
