import { getDispatch, listDispatches, listRequests, listSites, operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import type { Send } from "../../support/http-client.js";
import { type Participant, type Running, running } from "../../support/running.js";

let service: Running;
let anna: Participant;

beforeAll(async () => {
  service = await running();
});

beforeEach(async () => {
  anna = await service.newParticipant();
});

type Query = { readonly status?: "error" | "ok"; readonly since?: string };

const logged = async (call: Send, query: Query = {}) => (await call(listRequests, { query })).body.items;
const linesOf = async (call: Send, query: Query = {}): Promise<string[]> =>
  (await logged(call, query)).map(({ path, status, count }) => `${path} ${status} ×${count}`);
const untilLines = (call: Send, lines: readonly string[], query: Query = {}) =>
  expect.poll(() => linesOf(call, query)).toEqual(lines);
const now = (): string => service.clock.now().toISOString();

describe("an account's own requests", () => {
  test("are those of all its keys, with what to do about errors; operators see the same entries", async () => {
    const second = await service.participantOf(anna.accountId);
    await second.call(getDispatch, { params: { id: "dis_0" } });
    await untilLines(anna.call, ["/2022-04-15/dispatches/dis_0 404 ×1"]);
    const [entry] = await logged(anna.call);
    expect(entry).toMatchObject({
      id: expect.stringMatching(/^req_[0-9a-f]{16}$/),
      key_id: second.keyId,
      error: "No such dispatch; check the id.",
      explanation: expect.stringMatching(/No dispatch of this account's sites/),
    });
    const forOperator = await service.operator(operator.listAccountRequests, { params: { id: anna.accountId } });
    expect(forOperator.body.items.map(({ id }) => id)).toEqual([entry?.id]);
  });

  test("say where scenarios are when they were sought in production", async () => {
    expectError(await anna.call("GET", "/scenarios"), 404);
    await untilLines(anna.call, ["/2022-04-15/scenarios 404 ×1"]);
    expect((await logged(anna.call))[0]?.explanation).toMatch(/^Scenarios exist in the sandbox only/);
  });

  test("are never those of another account", async () => {
    const bert = await service.newParticipant();
    await anna.call(listSites);
    await bert.call(listDispatches);
    await untilLines(bert.call, ["/2022-04-15/dispatches 200 ×1"]);
    await untilLines(anna.call, ["/2022-04-15/sites 200 ×1"]);
  });

  test("keep the id of their entry while its count grows, and errors have one each", async () => {
    await anna.call(listSites);
    await untilLines(anna.call, ["/2022-04-15/sites 200 ×1"]);
    const [first] = await logged(anna.call);
    await anna.call(listSites);
    await untilLines(anna.call, ["/2022-04-15/sites 200 ×2"]);
    expect((await logged(anna.call))[0]?.id).toBe(first?.id);
    for (let count = 0; count < 3; count++) await anna.call(getDispatch, { params: { id: "dis_0" } });
    await untilLines(anna.call, Array(3).fill("/2022-04-15/dispatches/dis_0 404 ×1"), { status: "error" });
    const ids = (await logged(anna.call)).map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
  });

  test("leave out those that read them, unless they fail", async () => {
    await logged(anna.call);
    await anna.call("HEAD", "/requests");
    expectError(await anna.call("GET", "/requests?limit=0"), 400);
    await untilLines(anna.call, ["/2022-04-15/requests?limit 400 ×1"]);
  });

  test("are listed by status, from a moment on, and in pages", async () => {
    service.clock.set(new Date("2030-07-01T12:00:30Z"));
    await anna.call(listDispatches);
    await anna.call(getDispatch, { params: { id: "first" } });
    service.clock.advance({ seconds: 20 });
    await anna.call(getDispatch, { params: { id: "second" } });
    await expect.poll(() => linesOf(anna.call)).toHaveLength(3);
    const [second, first, ok] = ["/dispatches/second 404", "/dispatches/first 404", "/dispatches 200"].map(
      (each) => `/2022-04-15${each} ×1`,
    );
    expect(await linesOf(anna.call)).toEqual([second, first, ok]);
    expect(await linesOf(anna.call, { status: "error" })).toEqual([second, first]);
    // What was combined of a minute cannot be told apart any more.
    expect(await linesOf(anna.call, { since: now() })).toEqual([second, ok]);
    expect(await linesOf(anna.call, { since: "2030-07-01T14:00:50 02:00" })).toEqual([second, ok]);
    expect(await linesOf(anna.call, { since: "2030-07-01T12:01:00Z" })).toEqual([]);
    const page = (await anna.call(listRequests, { query: { limit: 2 } })).body;
    expect(page.items).toHaveLength(2);
    const rest = await anna.call("GET", `/requests?cursor=${page.next_cursor}`);
    expect(rest.body).toMatchObject({ items: [{ status: 200 }], next_cursor: null });
  });

  test.for(["since=yesterday", "since=2030-02-30T00:00:00Z", "status=bad", "cursor=x", "limit=501"])(
    "%s is refused and named",
    async (query) => {
      const answer = await anna.call("GET", `/requests?${query}`);
      expectError(answer, 400, new RegExp(query.slice(0, query.indexOf("="))));
    },
  );

  test("are counted in the key's rate limit", async () => {
    const limited = await running({ CURTAIL_RATE_LIMIT: "2" });
    const ben = await limited.newParticipant();
    for (let count = 0; count < 2; count++) await logged(ben.call);
    const refused = await ben.call(listRequests);
    expectError(refused, 429);
    expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
  });
});

describe("requests in the sandbox", () => {
  test("are separate from production's", async () => {
    const sandbox = await service.sandboxCall(anna);
    await sandbox(listSites);
    await anna.call(listDispatches);
    await untilLines(sandbox, ["/2022-04-15/sites 200 ×1"]);
    await untilLines(anna.call, ["/2022-04-15/dispatches 200 ×1"]);
  });

  test("of the public key are two fixed ones to parse, by status, moment and page", async () => {
    await service.publicCall(listSites);
    const { publicCall } = service;
    const [error, ok] = ["/2022-04-15/telemetry 400 ×1", "/2022-04-15/dispatches 200 ×2"];
    expect(await linesOf(publicCall)).toEqual([error, ok]);
    expect(await logged(publicCall)).toMatchObject([{ explanation: expect.stringMatching(/multiple of 30/) }, {}]);
    expect(await linesOf(publicCall, { status: "ok" })).toEqual([ok]);
    expect(await linesOf(publicCall, { status: "error" })).toEqual([error]);
    expect(
      await linesOf(publicCall, { since: new Date(service.clock.now().getTime() + 3_600_000).toISOString() }),
    ).toEqual([]);
    const page = (await publicCall(listRequests, { query: { limit: 1 } })).body;
    const rest = await publicCall("GET", `/requests?cursor=${page.next_cursor}`);
    expect([...page.items, ...rest.body.items]).toEqual(await logged(publicCall));
    expect(rest.body.next_cursor).toBeNull();
  });
});
