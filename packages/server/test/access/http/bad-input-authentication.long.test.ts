import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { anna, everyEndpoint, expectDenied, key, prepare, service } from "../../support/every-participant-call.js";
import { expectError } from "../../support/expect-error.js";
import { httpClient } from "../../support/http-client.js";
import { repeatableEndpoints } from "../../support/participant-calls.js";
import { OPERATOR_TOKEN } from "../../support/running.js";

beforeAll(prepare);

describe("every endpoint", () => {
  test("A2: denies a key of spaces", () => expectDenied(key("   ")));
  test("A8: denies the earlier Authorization header", () => expectDenied({ authorization: `Bearer ${anna.key}` }));
  test("A12: denies a key that differs in case only", () => expectDenied(key(anna.key.toUpperCase())));
  test("A15: reads the header's name in any case", async () => {
    for (const answer of await everyEndpoint({ "x-SERVICE-api-key": anna.key }, repeatableEndpoints))
      expect(answer.status).toBe(200);
  });
});

test.for(operator.operatorEndpoints.map((each) => [each.method, each.path] as const))(
  "A1, A8: the operator's %s %s denies whoever has not its token, before it looks at anything",
  async ([method, path]) => {
    // More than 100 wrong tokens a minute would be answered 429.
    service.clock.advance({ minutes: 1 });
    const tokens = ["", "Bearer ", `Bearer ${anna.key}`, `Bearer ${OPERATOR_TOKEN}x`, `Basic ${OPERATOR_TOKEN}`];
    for (const authorization of tokens) {
      const call = httpClient(`${service.url}/operator/v1`, { authorization, "x-service-api-key": anna.key });
      const body = method === "GET" ? undefined : "{";
      expectError(await call(method, path.replaceAll(/\{\w+\}/g, anna.accountId), body), 401, /^Permission denied/);
    }
  },
);

describe("a key", () => {
  test("sent twice in one request is denied", async () => {
    await expectDenied(key(`${anna.key}, ${anna.key}`));
  });
});
