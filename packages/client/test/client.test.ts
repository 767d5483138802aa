import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createTestDispatch, deleteWebhook, listSites, operator, readTelemetry } from "@curtail/contract";
import { atEnd } from "@curtail/testing/at-end";
import { expect, test } from "vitest";
import { callByPath } from "../src/by-path.js";
import { createClient } from "../src/client.js";
import { ErrorResponse, NoResponse } from "../src/failure.js";

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A service that replies with what `reply` writes; returns its address and what it received. */
const serving = async (reply: (response: ServerResponse) => void) => {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ method: request.method, url: request.url, headers: request.headers, body });
      reply(response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(async () => {
    server.close();
    server.closeAllConnections();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`, received };
};

const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  serving((response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  });

/** The error that a call throws. */
const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => "no failure",
    (error: unknown) => error,
  );

test("a call fills in the path, encodes the query and returns the reply", async () => {
  const { baseUrl, received } = await json(200, { items: [], next_cursor: null });
  const client = createClient({ baseUrl, headers: { authorization: "Bearer secret" } });
  const reply = await client.call(operator.listAccountSites, { params: { id: "a/b" }, query: { limit: 5 } });
  expect(reply).toEqual({ items: [], next_cursor: null });
  expect(received).toMatchObject([
    {
      method: "GET",
      url: "/base/accounts/a%2Fb/sites?limit=5",
      headers: { authorization: "Bearer secret", accept: "application/json" },
      body: "",
    },
  ]);
  expect(received[0]?.headers).not.toHaveProperty("content-type");
});

test("an endpoint may be named by its method and path", async () => {
  const { baseUrl, received } = await json(200, { id: "acc_1" });
  const call = callByPath<(typeof operator.operatorEndpoints)[number]>({ baseUrl });
  expect((await call("GET", "/accounts/{id}", { params: { id: "acc_1" } })).id).toBe("acc_1");
  expect(received).toMatchObject([{ method: "GET", url: "/base/accounts/acc_1" }]);
  // @ts-expect-error: no endpoint has this method and path
  await call("DELETE", "/accounts/{id}", { params: { id: "acc_1" } });
});

test("the contract decides which input a call needs", async () => {
  const { baseUrl } = await json(200, {});
  const client = createClient({ baseUrl });
  // @ts-expect-error: the path has a parameter
  await client.call(operator.getAccount);
  // @ts-expect-error: the parameter is called id
  await client.call(operator.getAccount, { params: { account_id: "acc_1" } });
  // @ts-expect-error: an account has a name
  await client.call(operator.createAccount, { body: {} });
  // @ts-expect-error: a limit is a number
  await client.call(operator.listAccounts, { query: { limit: "many" } });
  // @ts-expect-error: an account has no load
  expect((await client.call(operator.getAccount, { params: { id: "acc_1" } })).load).toBeUndefined();
});

test("a list in a query is sent as repeated parameters, and undefined members are omitted", async () => {
  const { baseUrl, received } = await json(200, {});
  const query = { site_id: ["site_1", "site 2"], start_time: "2026-07-01T13:00:00+02:00" };
  await createClient({ baseUrl }).send(readTelemetry, { query: { ...query, interval_seconds: undefined } as never });
  expect(received[0]?.url).toBe(
    "/base/telemetry/kw?site_id=site_1&site_id=site+2&start_time=2026-07-01T13%3A00%3A00%2B02%3A00",
  );
});

test("a body is sent as JSON, and headers of a call come after those of the client", async () => {
  const { baseUrl, received } = await json(200, { id: "dis_1" });
  const client = createClient({ baseUrl, headers: { "x-one": "client", "x-two": "client" } });
  const body = { start_time: "2026-07-01T13:00:00Z", end_time: "2026-07-01T14:00:00Z" };
  await client.call(createTestDispatch, { body, headers: { "x-two": "call" } });
  expect(received).toMatchObject([
    { method: "POST", headers: { "content-type": "application/json", "x-one": "client", "x-two": "call" } },
  ]);
  expect(JSON.parse(received[0]?.body ?? "")).toEqual(body);
});

test("an endpoint without a reply returns undefined", async () => {
  const { baseUrl } = await serving((response) => response.writeHead(204).end());
  expect(await createClient({ baseUrl }).call(deleteWebhook, { params: { id: "wh_1" } })).toBeUndefined();
});

test("an error of the service is thrown with its words, type and Retry-After", async () => {
  const error = { message: "the limit is 60 requests a minute", type: "Too Many Requests" };
  const { baseUrl } = await json(429, error, { "retry-after": "7" });
  const failure = await failureOf(createClient({ baseUrl }).call(listSites));
  expect(failure).toBeInstanceOf(ErrorResponse);
  expect(failure).toMatchObject({
    status: 429,
    reason: error.message,
    type: error.type,
    retryAfter: 7,
    location: null,
    message: "GET /sites returned 429: the limit is 60 requests a minute",
  });
});

test("a result that is being prepared is thrown with the time to ask again", async () => {
  const { baseUrl } = await json(202, { message: "the performance is being prepared" }, { "retry-after": "5" });
  const call = createClient({ baseUrl }).call(operator.getAnyDispatchPerformance, { params: { id: "dis_1" } });
  expect(await failureOf(call)).toMatchObject({
    status: 202,
    reason: "the performance is being prepared",
    retryAfter: 5,
  });
});

test.each([
  ["a page of a proxy", 502, "<html>"],
  ["JSON that is no object", 500, "null"],
  ["a success that is no JSON", 200, "<html>"],
])("%s has no reason, and the message shows its text", async (_, status, page) => {
  const { baseUrl } = await serving((response) => response.writeHead(status).end(page));
  const failure = await failureOf(createClient({ baseUrl }).call(listSites));
  expect(failure).toBeInstanceOf(ErrorResponse);
  expect(failure).toMatchObject({
    status,
    reason: null,
    type: null,
    message: `GET /sites returned ${status}: ${page}`,
  });
});

test("a redirect is not followed if the client says so", async () => {
  const { baseUrl, received } = await serving((response) =>
    response.writeHead(302, { location: "http://elsewhere.example/" }).end(),
  );
  const failure = await failureOf(createClient({ baseUrl, redirect: "manual" }).call(listSites));
  expect(failure).toMatchObject({ status: 302, location: "http://elsewhere.example/" });
  expect(received).toHaveLength(1);
});

test("send returns any response unchanged", async () => {
  const { baseUrl } = await serving((response) => response.writeHead(503).end("away"));
  const response = await createClient({ baseUrl }).send(listSites);
  expect([response.status, await response.text()]).toEqual([503, "away"]);
});

test("a service that is not there is NoResponse with the cause", async () => {
  const { baseUrl } = await serving((response) => response.destroy());
  const failure = await failureOf(createClient({ baseUrl }).call(listSites));
  expect(failure).toBeInstanceOf(NoResponse);
  expect(failure).toMatchObject({ cause: { cause: { code: "UND_ERR_SOCKET" } } });
});

test("a reply that breaks off is NoResponse", async () => {
  const { baseUrl } = await serving((response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("{", () => response.destroy());
  });
  expect(await failureOf(createClient({ baseUrl }).call(listSites))).toBeInstanceOf(NoResponse);
});

test("a call ends after the client's time limit, or when it is aborted", async () => {
  const { baseUrl } = await serving(() => {});
  expect(await failureOf(createClient({ baseUrl, timeoutMs: 20 }).call(listSites))).toMatchObject({
    name: "NoResponse",
    cause: { name: "TimeoutError" },
  });
  const signal = AbortSignal.abort();
  expect(await failureOf(createClient({ baseUrl, timeoutMs: 60_000 }).call(listSites, { signal }))).toMatchObject({
    name: "NoResponse",
    cause: { name: "AbortError" },
  });
});
