import { type Endpoint, endpoints, operator, sandboxEndpoints } from "@curtail/contract";
import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { anyRequest } from "../support/any-request.js";
import { expectError, expectNoFailure } from "../support/expect-error.js";
import { httpClient } from "../support/http-client.js";
import { goodCall, servedEndpoints, unknownNames } from "../support/participant-calls.js";
import {
  anna,
  both,
  inHours,
  isUpload,
  leaks,
  prepare,
  production,
  rowsOf,
  sandbox,
  sandboxKey,
  service,
} from "../support/two-environments.js";

const RANDOM_REQUESTS = propertyRuns(100, { atMost: 400 });

beforeAll(prepare);

describe.each(
  operator.operatorEndpoints
    .filter(({ method }) => method === "GET")
    .map((each): [string, Endpoint] => [each.path, each]),
)("the operator's GET %s", (path, { query }) => {
  test("shows the sandbox only where it is asked for", async () => {
    const ids = [anna.accountId, ...sandbox.marks, ...production.marks].filter((mark) => /^\w+$/.test(mark));
    for (const id of path.includes("{") ? ids : [""]) {
      if (path.includes("scenarios")) continue;
      const answer = await service.operator("GET", path.replaceAll(/\{\w+\}/g, id));
      expect(leaks(answer, sandbox, id), path).toEqual([]);
      if (!("environment" in (query?.properties ?? {}))) continue;
      const asked = await service.operator("GET", `${path.replaceAll(/\{\w+\}/g, id)}?environment=sandbox`);
      expect(leaks(asked, production, id), path).toEqual([]);
    }
  });
});

describe.each([...endpoints, ...sandboxEndpoints].map((each): [string, Endpoint] => [each.id, each]))(
  "%s",
  (_, { method, path }) => {
    test("takes no key of the other side, and no row is written", async () => {
      for (const [here, there] of both()) {
        const keys = there === production ? [anna.key] : [await sandboxKey(), "sandbox-public-key"];
        const before = [await rowsOf(here), await rowsOf(there)];
        for (const key of keys) {
          const call = httpClient(`${here.url}/2022-04-15`, { "x-service-api-key": key });
          const answer = await call(
            method,
            path.replaceAll(/\{\w+\}/g, there.named.dispatchId),
            method === "GET" ? undefined : "{}",
          );
          // A route that production does not have is not found before the key is checked (G3).
          expectError(answer, here === production && path.startsWith("/scenarios") ? 404 : 401);
        }
        expect([await rowsOf(here), await rowsOf(there)]).toEqual(before);
      }
    });
  },
);

describe.each(servedEndpoints.filter(isUpload).map((each) => [each.id, each] as const))("%s", (_id, endpoint) => {
  test("to the sandbox is answered alike for ids of others and of nobody, but for the id, and stores nothing", async () => {
    const senders = [service.publicCall, await service.sandboxCall(await service.newParticipant())];
    const before = [await rowsOf(production), await rowsOf(sandbox)];
    for (const send of senders) {
      const answers = [production.named, unknownNames].map(async (named) => {
        const { method, path, body } = goodCall(endpoint, named, service.clock);
        const { status, text } = await send(method, path, body);
        const own = text.replaceAll(named.meterId, "ID").replaceAll(named.siteId, "ID");
        expect(leaks({ text: own }, production)).toEqual([]);
        return { status, text: own };
      });
      const [ofOthers, ofNobody] = await Promise.all(answers);
      expect(ofOthers).toEqual(ofNobody);
      expect(ofOthers).toEqual({ status: 200, text: expect.stringContaining("ID") });
    }
    expect([await rowsOf(production), await rowsOf(sandbox)]).toEqual(before);
  });
});

describe.each(servedEndpoints.map((each) => [each.id, each] as const))("%s", (id, endpoint) => {
  test("names nothing of the other side, and finds nothing there", async () => {
    for (const [here, there] of both()) {
      const before = await rowsOf(there);
      const { method, path, body } = goodCall(endpoint, there.named, service.clock);
      const answer = await here.call(method, path, body);
      const isNaming = path.includes(there.named.siteId) || /telemetry|\{id\}/.test(endpoint.path);
      // The sandbox checks the form of an upload alone (G67).
      const expected = here === sandbox && isUpload(endpoint) ? [200] : [400, 404];
      if (isNaming) expect(expected).toContain(answer.status);
      expect(leaks(answer, there), id).toEqual([]);
      expect(await rowsOf(there)).toEqual(before);
    }
  });
});

test("whatever is sent to one side, the other neither shows in the answer nor changes", async () => {
  for (const [here, there] of both()) {
    const before = await rowsOf(there);
    // Not the addresses, which belong to whoever registers them.
    const ids = [...here.marks, ...there.marks].filter((mark) => !mark.startsWith("http"));
    const likely = [...ids, inHours(1), inHours(2), "basic", "custom", "dispatch.create"];
    await fc.assert(
      fc.asyncProperty(anyRequest([...endpoints, ...sandboxEndpoints], likely), async ({ method, path, body }) => {
        const answer = await here.call(method, path, body);
        expectNoFailure(answer);
        expect(leaks(answer, there, decodeURIComponent(path) + (body ?? ""))).toEqual([]);
      }),
      { numRuns: RANDOM_REQUESTS },
    );
    expect(await rowsOf(there)).toEqual(before);
  }
}, 120_000);
