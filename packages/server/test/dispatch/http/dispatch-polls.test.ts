import { operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import {
  accepted,
  anna,
  byFramework,
  get,
  ids,
  listedIn,
  other,
  polled,
  prepare,
  prepareEach,
  program,
  service,
} from "../../support/polls.js";

beforeAll(prepare);

beforeEach(prepareEach);

const disable = (accountId: string, disabled: boolean) =>
  service.made(operator.changeAccount, { params: { id: accountId }, body: { disabled } });

describe("a poll", () => {
  test("gets the framework's answer: body, headers, and a rate that counts both", async () => {
    await newDispatch(service, program);
    const [first, second] = [await polled(), await byFramework()];
    expect(listedIn(first)).toHaveLength(1);
    const varying = { date: "", "x-ratelimit-remaining": "" };
    expect({ ...first, headers: { ...first.headers, ...varying } }).toEqual({
      ...second,
      headers: { ...second.headers, ...varying },
    });
    expect([first, second].map(({ headers }) => headers["x-ratelimit-remaining"])).toEqual(["39", "38"]);
  });

  test("sees what another process changed, at once", async () => {
    expect(listedIn(await polled(other))).toEqual([]);
    const { id } = await newDispatch(service, program);
    expect(listedIn(await polled(other))).toMatchObject([{ id, modification_number: 0 }]);
    const end_time = ahead(service, { hours: 3 });
    await service.made(operator.changeDispatch, { params: { id }, body: { end_time } });
    expect(listedIn(await polled(other))).toMatchObject([{ id, modification_number: 1 }]);
  });

  test("sees a dispatch from its notification on, and no longer than a day after its end", async () => {
    const { id } = await newDispatch(service, program, {
      notification_time: ahead(service, { minutes: 5 }),
      start_time: ahead(service, { minutes: 10 }),
      end_time: ahead(service, { minutes: 20 }),
    });
    expect(await ids()).toEqual([]);
    service.clock.advance({ minutes: 5 });
    expect(await ids()).toEqual([id]);
    service.clock.advance({ minutes: 15 });
    service.clock.advance({ hours: 24 });
    expect(await ids()).toEqual([id]);
    service.clock.advance({ seconds: 1 });
    expect(await ids()).toEqual([]);
  });

  test("with a key that another process revoked is refused at once", async () => {
    expect((await polled(other)).status).toBe(200);
    await service.made(operator.revokeKey, { params: { id: anna.keyId } });
    expect((await polled(other)).status).toBe(401);
  });

  test("with a key that has expired is refused", async () => {
    await service.database.servicePool.query(
      "with expiring as (update api_keys set expires_at = $2 where id = $1) select note_change('key.revoke', $1)",
      [anna.keyId, ahead(service, { minutes: 1 })],
    );
    expect((await polled()).status).toBe(200);
    service.clock.advance({ minutes: 1 });
    expect((await polled()).status).toBe(401);
  });

  test("of a disabled account is refused, and answered again once it is enabled", async () => {
    expect((await polled(other)).status).toBe(200);
    await disable(anna.accountId, true);
    expect((await polled(other)).status).toBe(401);
    await disable(anna.accountId, false);
    expect((await polled(other)).status).toBe(200);
  });

  test("beyond the limit is refused like any other request, and other requests of the key are not", async () => {
    for (let sent = 0; sent < 40; sent++) expect((await polled()).status).toBe(200);
    const refused = await polled();
    expect(refused.status).toBe(429);
    expect(refused.headers["retry-after"]).toBeDefined();
    expect((await anna.call("GET", "/sites")).status).toBe(200);
  });

  test("is evidence that the account was notified", async () => {
    const { id } = await newDispatch(service, program);
    await polled();
    const evidence = await service.operator("GET", `/dispatches/${id}/evidence`);
    expect(JSON.stringify(evidence.body)).toContain('"polled"');
  });

  test("that finds more than 16 KB is compressed if the client accepts it", async () => {
    const large = await service.newParticipant({ name: "A".repeat(180), sites: Array.from({ length: 12 }, () => []) });
    const program = await newProgram(service, [large]);
    for (let dispatch = 0; dispatch < 5; dispatch++) await newDispatch(service, program);
    await accepted(large);
    const headers = { "x-service-api-key": large.key, "accept-encoding": "gzip" };
    const answer = await get(`${service.url}/2022-04-15/dispatches`, headers);
    expect(answer.headers).toMatchObject({ "content-encoding": "gzip", vary: "x-service-api-key, accept-encoding" });
  });
});
