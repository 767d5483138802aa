import { claimKey } from "@curtail/client";
import {
  createScenario,
  createTestDispatch,
  createWebhook,
  type Endpoint,
  endpoints,
  listDispatches,
  listSites,
  listWebhooks,
  operator,
  sandboxEndpoints,
} from "@curtail/contract";
import { propertyRuns } from "@curtail/testing/property-runs";
import { type Receiver, receiver } from "@curtail/testing/receiver";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { anyRequest } from "../support/any-request.js";
import { expectError, expectNoFailure } from "../support/expect-error.js";
import { type Answer, httpClient, type Send } from "../support/http-client.js";
import { goodCall, type Named, namesOf, servedEndpoints, unknownNames } from "../support/participant-calls.js";
import { type Participant, type Running, running } from "../support/running.js";
import { scenarioOf } from "../support/scenario.js";
import { everythingStored } from "../support/stored.js";

/** One of the two environments: what its account has there, and how to call it. */
interface Side {
  readonly schema: "public" | "sandbox";
  readonly call: Send;
  readonly hook: Receiver;
  readonly url: string;
  readonly named: Named;
  /** Everything that identifies data of this side. */
  readonly marks: readonly string[];
}

const RANDOM_REQUESTS = propertyRuns(100, { atMost: 400 });

let service: Running;
let anna: Participant;
let production: Side;
let sandbox: Side;

beforeAll(async () => {
  service = await running({ CURTAIL_RATE_LIMIT: "100000", CURTAIL_RATE_LIMIT_DISPATCHES: "100000" });
  anna = await service.newParticipant();
  production = await productionSide();
  sandbox = await sandboxSide();
});

const inHours = (hours: number): string => new Date(service.clock.now().getTime() + hours * 3_600_000).toISOString();

const registered = async (call: Send): Promise<{ id: string; url: string; hook: Receiver }> => {
  const hook = await receiver();
  const { body } = await call(createWebhook, { body: { url: hook.url, events: [{ name: "dispatch.create" }] } });
  return { ...body, hook };
};

const productionSide = async (): Promise<Side> => {
  const { call } = anna;
  const webhook = await registered(call);
  const { body } = await call(createTestDispatch, { body: { start_time: inHours(1), end_time: inHours(2) } });
  const named = namesOf(anna, body.id, webhook.id);
  const marks = [body.id, webhook.id, webhook.url, named.siteId, named.meterId];
  return { schema: "public", call, hook: webhook.hook, url: service.url, named, marks };
};

const sandboxSide = async (): Promise<Side> => {
  const call = await service.sandboxCall(anna);
  const webhook = await registered(call);
  const times = { notification_time: undefined, sites: [{ name: "Made up for the sandbox", commitment: 5 }] };
  const { body } = await call(createScenario, { body: scenarioOf(service, "basic", times) });
  const [dispatch] = body.dispatches;
  const named = {
    siteId: dispatch?.sites[0]?.id ?? "",
    meterId: "mtr_sandbox_lakeside",
    dispatchId: dispatch?.id ?? "",
    webhookId: webhook.id,
  };
  const fixed = ["dis_sandbox", "site_sandbox", "mtr_sandbox", "wh_sandbox"];
  const marks = [body.id, named.dispatchId, named.siteId, webhook.id, webhook.url, "Made up for", ...fixed];
  return { schema: "sandbox", call, hook: webhook.hook, url: service.sandboxUrl, named, marks };
};

const both = (): Array<[here: Side, there: Side]> => [
  [production, sandbox],
  [sandbox, production],
];

// Written in the background: by each side's worker, and by the periodic recording of polls.
const inBackground = ["messages", "message_attempts", "account_polls"];

/** Rows of each table of a side that requests write. */
const rowsOf = async ({ schema }: Side): Promise<object> => {
  const all = Object.entries(await everythingStored(service));
  const own = all.filter(([name]) => name.startsWith(`${schema}.`) && name !== "public.journal");
  const rows = own.filter(([name]) => !inBackground.some((table) => name === `${schema}.${table}`));
  return Object.fromEntries([...rows, ["journal", await entriesOf(schema)]]);
};

/** Both sides write to one journal; notices become due and are sent in the background. */
const entriesOf = async (schema: Side["schema"]): Promise<number> => {
  const { rowCount } = await service.database.pool.query(
    "select from journal where environment = $1 and kind not in ('dispatch.notified', 'progress')",
    [schema === "public" ? "production" : "sandbox"],
  );
  return rowCount ?? 0;
};

/** What an answer reveals about the other side, beyond what the request itself contained. */
const leaks = ({ text }: Pick<Answer, "text">, there: Side, sent = ""): string[] => {
  const revealing = ownWordsIn(text);
  return there.marks.filter((mark) => revealing.includes(mark) && !sent.includes(mark));
};

/** Without the paths and messages of the request log, which quote what this side was sent before. */
const ownWordsIn = (text: string): string =>
  text.includes('"max_duration_ms"')
    ? JSON.stringify(JSON.parse(text), (name, value) => (name === "path" || name === "error" ? null : value))
    : text;

test("the marks are there to be seen on their own side", async () => {
  for (const { call, marks } of [production, sandbox]) {
    const lists = [await call(listDispatches), await call(listWebhooks), await call(listSites)];
    const text = lists.map((answer) => answer.text).join("");
    expect(marks.filter((mark) => text.includes(mark)).length).toBeGreaterThanOrEqual(4);
  }
});

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

const sandboxKey = async (): Promise<string> => {
  const { claim_url } = await service.made(operator.createKey, {
    params: { id: anna.accountId },
    body: { environment: "sandbox" },
  });
  return (await claimKey(claim_url)).api_key;
};

const isUpload = ({ method, path }: Endpoint): boolean => method === "POST" && path.startsWith("/telemetry");

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

test("the webhooks of each side are notified only of its own dispatches", async () => {
  for (const [{ hook, named }, there] of both()) {
    const [first] = await hook.notices(1);
    expect(first?.resource).toBe(`/2022-04-15/dispatches/${named.dispatchId}`);
    expect(hook.received.flatMap(({ text }) => leaks({ text }, there))).toEqual([]);
  }
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
