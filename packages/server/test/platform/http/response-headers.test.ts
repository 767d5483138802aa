import { beforeAll, describe, expect, test } from "vitest";
import { newBrowser } from "../../support/people.js";
import { sendRaw } from "../../support/raw-request.js";
import { OPERATOR_TOKEN, type Participant, type Running, running } from "../../support/running.js";

let service: Running;
let secure: Running;
let anna: Participant;
let session: string;

beforeAll(async () => {
  service = await running();
  secure = await running({ CURTAIL_PUBLIC_URL: "https://curtail.example" });
  anna = await service.newParticipant();
  const { token } = await newBrowser(service, "participant-admin", anna.accountId);
  session = `curtail_session=${token}`;
});

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(service.url + path, { method, redirect: "manual", headers });

const key = () => ({ "x-service-api-key": anna.key });
const cookie = () => ({ cookie: session });
const token = () => ({ authorization: `Bearer ${OPERATOR_TOKEN}` });
const none = () => ({});

describe("what is private is kept nowhere", () => {
  test.for([
    ["/2022-04-15/dispatches", key],
    ["/2022-04-15/sites", key],
    ["/2022-04-15/dispatches/none", key],
    ["/2022-04-15/sites", none],
    ["/operator/v1/accounts", token],
    ["/operator/v1/accounts", none],
    ["/console/v1/account", cookie],
    ["/auth/session", cookie],
    ["/claim/x", none],
    ["/invitation/x", none],
    ["/nowhere", none],
    ["/dispatches", none],
    ["/%ZZ", none],
  ] as const)("GET %s", async ([path, headers]) => {
    const answer = await get(path, headers());
    // A list with a tag is asked for again each time, and kept for its reader alone (G74).
    const expected = answer.headers.has("etag") ? "private, no-cache" : "no-store";
    expect(answer.headers.get("cache-control")).toBe(expected);
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("a stream of changes", async () => {
    const leaving = new AbortController();
    const { headers } = await fetch(`${service.url}/console/v1/changes/stream`, {
      headers: { cookie: session },
      signal: leaving.signal,
    });
    expect([headers.get("cache-control"), headers.get("x-content-type-options")]).toEqual(["no-store", "nosniff"]);
    leaving.abort();
  });

  test("what is not even a request", async () => {
    const answer = await sendRaw(service.url, "hello\r\n\r\n");
    expect(answer.head).toContain("x-content-type-options: nosniff");
    expect(answer.head).toContain("cache-control: no-store");
  });
});

test.for([
  ["/2022-04-15/sites", 'ApiKey realm="Curtail", header="x-service-api-key"'],
  ["/operator/v1/accounts", 'Bearer realm="Curtail"'],
  ["/console/v1/account", 'Session realm="Curtail"'],
])("a 401 at %s says what to send instead", async ([path = "", challenge]) => {
  const { status, headers } = await get(path);
  expect([status, headers.get("www-authenticate")]).toEqual([401, challenge]);
});

test("files that anybody may have are kept by browsers", async () => {
  const { headers } = await get("/reference/swagger-ui.css");
  expect(headers.get("cache-control")).not.toContain("no-store");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
});

const hsts = async (url: string) => (await fetch(`${url}/healthz`)).headers.get("strict-transport-security");

test("browsers are told to use only https if the public address is https, and only then", async () => {
  expect(await hsts(secure.url)).toBe("max-age=31536000");
  expect(await hsts(service.url)).toBeNull();
});

test("browsers are told so by each listener of its own public address", async () => {
  const mixed = await running({
    CURTAIL_OPERATOR_PORT: "0",
    CURTAIL_PUBLIC_URL: "http://curtail.example",
    CURTAIL_OPERATOR_PUBLIC_URL: "https://operators.example",
    CURTAIL_SANDBOX_PUBLIC_URL: "https://sandbox.example",
  });
  expect(await hsts(mixed.url)).toBeNull();
  expect(await hsts(mixed.operatorUrl)).toBe("max-age=31536000");
  expect(await hsts(mixed.sandboxUrl)).toBe("max-age=31536000");
});

test.for(["/2022-04-15/docs", "/operator/v1/docs", "/console/v1/docs", "/auth/docs", "/claim/x", "/invitation/x"])(
  "%s says of everything a page may do whether it may",
  async (path) => {
    const policy = (await get(path)).headers.get("content-security-policy");
    for (const part of ["default-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"])
      expect(policy).toContain(part);
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  },
);

describe("metrics", () => {
  const METRICS_TOKEN = "a-token-for-prometheus-only";

  test("are for this machine only, and a proxy on it is not this machine", async () => {
    expect((await get("/metrics")).status).toBe(200);
    for (const name of ["x-forwarded-for", "forwarded", "x-real-ip", "via"])
      expect((await get("/metrics", { [name]: "127.0.0.1" })).status).toBe(401);
  });

  test("a forwarded address of a trusted proxy does not count as this machine", async () => {
    const proxied = await running({ CURTAIL_TRUSTED_PROXIES: "127.0.0.1/32" });
    const { status } = await fetch(`${proxied.url}/metrics`, { headers: { "x-forwarded-for": "127.0.0.1" } });
    expect(status).toBe(401);
    const fromSandbox = await fetch(`${proxied.sandboxUrl}/metrics`, { headers: { "x-forwarded-for": "203.0.113.9" } });
    expect(fromSandbox.status).toBe(401);
  });

  test("require the token if one is set", async () => {
    const guarded = await running({ CURTAIL_METRICS_TOKEN: METRICS_TOKEN });
    const asked = (headers: Record<string, string>) => fetch(`${guarded.url}/metrics`, { headers });
    for (const authorization of ["", "Bearer", "Bearer wrong", METRICS_TOKEN, `Bearer ${OPERATOR_TOKEN}`])
      expect((await asked({ authorization })).status).toBe(401);
    const answer = await asked({ authorization: `Bearer ${METRICS_TOKEN}`, "x-forwarded-for": "203.0.113.9" });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("curtail_open_alarms");
  });

  test("are made once a second, however often they are read", async () => {
    const texts = new Set<string>();
    // The clock that determines how long they are kept.
    const began = service.clock.monotonicMs();
    // Each rendering shows that the process has used more CPU time.
    for (let reads = 0; reads < 50; reads++) texts.add(await (await get("/metrics")).text());
    const seconds = (service.clock.monotonicMs() - began) / 1000;
    expect(texts.size).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
  });
});
