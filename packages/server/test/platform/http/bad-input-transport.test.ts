import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import { head, sendRaw } from "../../support/raw-request.js";
import { OPERATOR_TOKEN, type Participant, type Running, running } from "../../support/running.js";

const BASE = "/2022-04-15";

let service: Running;
let anna: Participant;

beforeAll(async () => {
  service = await running();
  anna = await service.newParticipant();
});

const withKey = (headers: Record<string, string> = {}) => ({ "x-service-api-key": anna.key, ...headers });

describe("an address that is not there", () => {
  test.for(["/nope", "/dispatches/", "/Dispatches", "/SITES", "/sites/x", "//dispatches"])(
    "B1: GET %s is 404, with a key and without",
    async (path) => {
      expectError(await anna.call("GET", path), 404);
      expectError(await sendRaw(service.url, head("GET", BASE + path)), 404);
    },
  );

  test.for([
    ["PUT", "/dispatches"],
    ["PATCH", "/dispatches"],
    ["TRACE", "/dispatches"],
    ["OPTIONS", "/dispatches"],
    ["GET", "/telemetry"],
    ["DELETE", "/webhooks"],
    ["DELETE", "/sites"],
  ])("B2: %s %s is 404, not 405", async ([method = "", path = ""]) => {
    expectError(await sendRaw(service.url, head(method, BASE + path, withKey())), 404);
  });

  test("B2: the address is judged before the body (G3)", async () => {
    for (const [type, body] of [
      ["text/plain", "x"],
      ["application/json", "{"],
      ["application/json", '{"__proto__":1}'],
    ] as const) {
      expectError(await anna.call("PUT", "/dispatches", body, { "content-type": type }), 404);
    }
    expectError(await anna.call("POST", "/nope", "x", { "content-encoding": "gzip" }), 404);
  });

  test.for(["/2022-04-16/dispatches", "/v1/dispatches", "/2020-12-30/dispatches", "/latest/sites"])(
    "B5: %s is 404",
    async (path) => {
      const { status, body } = await sendRaw(service.url, head("GET", path, withKey()));
      expectError({ status, body }, 404);
    },
  );

  test("G41: the previous version's 404 names the current one", async () => {
    expectError(await sendRaw(service.url, head("GET", "/2020-12-30/dispatches")), 404, /2022-04-15/);
  });

  test.for([
    ["/", "/2022-04-15/"],
    ["/dispatches?x=1", "/2022-04-15/dispatches?x=1"],
    ["/telemetry/kw", "/2022-04-15/telemetry/kw"],
  ])("B4: %s redirects to %s without a key", async ([from = "", to = ""]) => {
    const answer = await sendRaw(service.url, head("GET", from));
    expect(answer.status).toBe(308);
    expect(answer.head).toContain(`location: ${to}`);
  });

  test("B4: the redirect of a POST keeps method and body", async () => {
    const answer = await sendRaw(
      service.url,
      `${head("POST", "/telemetry", { "content-type": "application/json", "content-length": "2" })}{}`,
    );
    expect(answer.status).toBe(308);
  });
});

describe("a path", () => {
  test.for(["/dispatches/%ZZ", "/dispatches/%", "/dispatches/%C0%80", "/%ZZ", "/schedule/sites/%E0%A4"])(
    "B6: %s is 400 in our shape",
    async (path) => {
      const method = path.startsWith("/schedule") ? "POST" : "GET";
      expectError(await sendRaw(service.url, head(method, BASE + path, withKey())), 400);
    },
  );

  test("B9: with an id of 300 or 10,000 characters is 404", async () => {
    for (const length of [101, 300, 10_000])
      expectError(await anna.call("GET", `/dispatches/${"a".repeat(length)}`), 404);
  });

  test("B10: of 20 KB is 400, in the query too", async () => {
    const long = "a".repeat(20_000);
    expectError(await sendRaw(service.url, head("GET", `${BASE}/dispatches/${long}`, withKey())), 400, /16 kB/);
    expectError(await sendRaw(service.url, head("GET", `${BASE}/telemetry/kw?site_id=${long}`, withKey())), 400);
  });

  test("B10: what is not HTTP gets a 400 in the common error format", async () => {
    for (const bytes of [
      "hello\r\n\r\n",
      "FOO / HTTP/1.1\r\n\r\n",
      "GET / HTTP/9.9\r\n\r\n",
      "\u0016\u0003\u0001\r\n\r\n",
    ])
      expectError(await sendRaw(service.url, bytes), 400);
  });

  test("B10: a request with contradicting lengths is 400", async () => {
    const both = { "content-length": "2", "transfer-encoding": "chunked" };
    expectError(await sendRaw(service.url, `${head("POST", `${BASE}/telemetry`, withKey(both))}0\r\n\r\n`), 400);
    expectError(await sendRaw(service.url, head("POST", `${BASE}/telemetry`, withKey({ "content-length": "x" }))), 400);
  });
});

describe("B32: a path that writes a name of its route with percent signs is 404", () => {
  test.for([
    ["GET", "/2022-04-15/%64ispatches"],
    ["GET", "/2022%2d04-15/sites"],
    ["GET", "/%32022-04-15/sites"],
    ["POST", "/2022-04-15/tele%6Detry"],
    ["GET", "/%6fperator/v1/accounts"],
    ["GET", "/operator/%76%31/accounts"],
    ["GET", "/c%6Fnsole/v1/sites"],
    ["POST", "/%61uth/sign-in"],
    ["GET", "/%6detrics"],
    ["GET", "/healt%68z"],
    ["POST", "/%63laim/x"],
    ["GET", "/2022-04-15/doc%73"],
    ["GET", "/%64ispatches"],
  ])("%s %s", async ([method = "", path = ""]) => {
    const token = { authorization: `Bearer ${OPERATOR_TOKEN}` };
    expectError(await sendRaw(service.url, head(method, path, { ...withKey(), ...token })), 404);
  });

  test("but an id may be encoded", async () => {
    const id = anna.accountId.replaceAll(/./g, (each) => `%${each.charCodeAt(0).toString(16)}`);
    const answer = await service.operator("GET", `/accounts/${id}`);
    expect(answer).toMatchObject({ status: 200, body: { id: anna.accountId } });
    const sites = await anna.call("GET", "/sites?x=%64ispatches");
    expect(sites.status).toBe(200);
  });
});

describe("a request", () => {
  test("B35: without a Host header is 400 in our shape, and ends the connection", async () => {
    const answer = await sendRaw(service.url, `GET ${BASE}/sites HTTP/1.1\r\n\r\n`);
    expectError(answer, 400, /Host/);
    expect(answer.head).toContain("connection: close");
  });

  test.for([
    ["Host", "other.test"],
    ["Content-Type", "application/json"],
    ["Content-Encoding", "identity"],
    ["Content-Length", "2"],
    ["Transfer-Encoding", "chunked"],
    ["X-Service-Api-Key", "other"],
    ["Authorization", "Bearer other"],
    ["Idempotency-Key", "other"],
  ])("B35: with two headers %s is 400 in our shape, and ends the connection", async ([name = "", value = ""]) => {
    const first = { "content-type": "application/json", ...withKey({ [name.toLowerCase()]: value }) };
    const request = head("POST", `${BASE}/dispatches`, first).replace("\r\n\r\n", `\r\n${name}: ${value}\r\n\r\n`);
    const body = name === "Transfer-Encoding" ? "2\r\n{}\r\n0\r\n\r\n" : "{}";
    const answer = await sendRaw(service.url, request + body);
    expectError(answer, 400);
    expect(answer.head).toContain("connection: close");
  });

  test("B35: with two different hosts is 400 wherever it goes, and names the header", async () => {
    for (const path of ["/", "/healthz", `${BASE}/nope`, "/operator/v1/accounts", "/auth/sign-in"]) {
      const twice = head("GET", path).replace("\r\n", "\r\nhost: other.test\r\n");
      expectError(await sendRaw(service.url, twice), 400, /header host more than once/);
    }
  });

  test("G2: with an unknown expectation is answered as if it had none, never 417", async () => {
    const answer = await sendRaw(service.url, head("GET", `${BASE}/sites`, withKey({ expect: "the-moon" })));
    expect(answer.status).toBe(200);
  });
});

test("B26: a preflight from another origin is answered without CORS headers", async () => {
  const asked = { origin: "https://evil.example", "access-control-request-method": "POST" };
  for (const method of ["OPTIONS", "GET"]) {
    const answer = await sendRaw(service.url, head(method, `${BASE}/sites`, withKey(asked)));
    expect(answer.head).not.toContain("access-control-");
  }
});
