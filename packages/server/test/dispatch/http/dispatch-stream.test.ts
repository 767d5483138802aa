import { createScenario, type Dispatch, listDispatches, operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import type { Participant } from "../../support/running.js";
import { inMinutes, scenarioOf } from "../../support/scenario.js";
import {
  anna,
  ben,
  ended,
  key,
  newKey,
  PATH,
  prepare,
  prepareKey,
  prepareReader,
  prepareTwo,
  programId,
  reader,
  readProgram,
  sent,
  service,
  streamAt,
} from "../../support/streams-of-dispatches.js";

beforeAll(prepare);

const change = (id: string, body: object) => service.made(operator.changeDispatch, { params: { id }, body });

const pollOf = async (of: Participant): Promise<readonly Dispatch[]> => (await of.call(listDispatches)).body.dispatches;

describe("a stream of dispatches", () => {
  beforeAll(prepareTwo);

  test("begins with what a poll shows, then carries each creation, change and cancellation as a poll shows it", async () => {
    const stream = await streamAt(service.url, anna);
    expect(stream.headers["content-type"]).toBe("text/event-stream; charset=utf-8");
    expect(await sent(stream)).toMatchObject({ event: "snapshot", data: { dispatches: [], page: 0, perPage: 0 } });
    const { id } = await newDispatch(service, programId, { end_time: ahead(service, { hours: 2 }) });
    expect(await sent(stream)).toMatchObject({ event: "dispatch", data: (await pollOf(anna))[0] });
    await change(id, { end_time: ahead(service, { hours: 3 }) });
    const changed = await sent(stream);
    expect(changed).toMatchObject({ event: "dispatch", data: { id, modification_number: 1 } });
    expect(changed.data).toEqual((await pollOf(anna))[0]);
    await change(id, { authorized: false });
    expect((await sent(stream)).data).toEqual((await pollOf(anna))[0]);
    stream.close();
    const later = await streamAt(service.url, anna);
    expect((await sent(later)).data).toEqual({ dispatches: await pollOf(anna), page: 0, perPage: 0 });
    later.close();
  });

  test("shows each account its own sites only, and nothing of dispatches without them", async () => {
    const [ofAnna, ofBen] = [await streamAt(service.url, anna), await streamAt(service.url, ben)];
    await Promise.all([sent(ofAnna), sent(ofBen)]);
    const both = await newDispatch(service, programId);
    expect((await sent(ofAnna)).data.sites.map((site: { id: string }) => site.id)).toEqual([anna.sites[0]?.id]);
    expect((await sent(ofBen)).data.sites.map((site: { id: string }) => site.id)).toEqual([ben.sites[0]?.id]);
    const sites = [{ site_id: anna.sites[0]?.id ?? "" }];
    const own = await newDispatch(service, programId, { sites });
    expect((await sent(ofAnna)).data.id).toBe(own.id);
    await change(both.id, { authorized: false });
    expect(await sent(ofBen)).toMatchObject({ data: { id: both.id, authorized: false } });
    for (const stream of [ofAnna, ofBen]) stream.close();
  });

  test("shows a dispatch at its notification time, and not before", async () => {
    const stream = await streamAt(service.url, anna);
    await sent(stream);
    const times = { notification_time: ahead(service, { minutes: 10 }), start_time: ahead(service, { hours: 1 }) };
    const ahead10 = await newDispatch(service, programId, times);
    const now = await newDispatch(service, programId);
    expect((await sent(stream)).data.id).toBe(now.id);
    service.clock.advance({ minutes: 10 });
    expect((await sent(stream)).data.id).toBe(ahead10.id);
    stream.close();
  });

  test("carries what another process did, within a second of real time", async () => {
    const elsewhere = await streamAt(await service.another(), anna);
    await sent(elsewhere);
    const { id } = await newDispatch(service, programId);
    const committedMs = performance.now();
    expect((await sent(elsewhere)).data.id).toBe(id);
    expect(performance.now() - committedMs).toBeLessThan(1000);
    elsewhere.close();
  });
});

describe("a stream that broke off", () => {
  beforeAll(prepareReader);

  test("continues with what changed meanwhile, each dispatch once", async () => {
    const first = await streamAt(service.url, reader);
    await sent(first);
    const known = await newDispatch(service, readProgram, { end_time: ahead(service, { hours: 2 }) });
    const { id: lastEventId } = await sent(first);
    first.close();
    const fresh = await newDispatch(service, readProgram);
    await change(known.id, { end_time: ahead(service, { hours: 3 }) });
    await change(known.id, { end_time: ahead(service, { hours: 4 }) });
    const again = await streamAt(service.url, reader, lastEventId);
    const events = [await sent(again), await sent(again)];
    expect(events.map(({ event }) => event)).toEqual(["dispatch", "dispatch"]);
    const sentNumbers = new Map(events.map(({ data }) => [data.id, data.modification_number]));
    expect(sentNumbers).toEqual(
      new Map([
        [fresh.id, 0],
        [known.id, 2],
      ]),
    );
    again.close();
    const upToDate = await streamAt(service.url, reader, events[1]?.id);
    const next = await newDispatch(service, readProgram);
    expect((await sent(upToDate)).data.id).toBe(next.id);
    upToDate.close();
  });

  test("begins anew with the id of an account that had other dispatches", async () => {
    const ben = await service.newParticipant();
    const ofAnna = await streamAt(service.url, reader);
    const { id } = await sent(ofAnna);
    ofAnna.close();
    const ofBen = await streamAt(service.url, ben, id);
    expect(await sent(ofBen)).toMatchObject({ event: "snapshot", data: { dispatches: [] } });
    ofBen.close();
  });
});

describe("the end of a stream", () => {
  test("comes when its key is revoked, also in another process; what follows is not sent", async () => {
    const anna = await service.newParticipant();
    const programId = await newProgram(service, [anna]);
    const streams = [await streamAt(service.url, anna), await streamAt(await service.another(), anna)];
    await Promise.all(streams.map(sent));
    await service.made(operator.revokeKey, { params: { id: anna.keyId } });
    await newDispatch(service, programId);
    for (const stream of streams) expect(await ended(stream)).toEqual([]);
  });

  test("comes when its account is disabled", async () => {
    const anna = await service.newParticipant();
    const stream = await streamAt(service.url, anna);
    await sent(stream);
    await service.made(operator.changeAccount, {
      params: { id: anna.accountId },
      body: { disabled: true, confirm_running: true },
    });
    expect(await ended(stream)).toEqual([]);
  });
});

describe("access to the stream", () => {
  test("needs a key, of production", async () => {
    const answer = await fetch(`${service.url}/2022-04-15${PATH}`);
    expect(answer.status).toBe(401);
    const anna = await service.newParticipant();
    expectError(await (await service.sandboxCall(anna))("GET", "/dispatches/stream/x"), 404);
    const refused = await fetch(`${service.sandboxUrl}/2022-04-15${PATH}`, {
      headers: { "x-service-api-key": anna.key },
    });
    expect(refused.status).toBe(401);
  });

  test("is refused to the 21st stream of an account, whichever of its keys asks", async () => {
    const [anna, ben] = [await service.newParticipant(), await service.newParticipant()];
    const keys = [anna.key, await newKey(anna.accountId, "production")];
    const streams = await Promise.all(
      Array.from({ length: 20 }, (_, index) => streamAt(service.url, { key: keys[index % 2] ?? "" })),
    );
    const refused = await anna.call("GET", PATH);
    expectError(refused, 429, /20 event streams are already open.*account/);
    expect(refused.headers.get("retry-after")).toBe("5");
    streams.push(await streamAt(service.url, ben));
    for (const stream of streams) stream.close();
  });

  test("leaves no evidence that the account was notified: the read that follows does", async () => {
    const anna = await service.newParticipant();
    const programId = await newProgram(service, [anna]);
    const stream = await streamAt(service.url, anna);
    await sent(stream);
    const { id } = await newDispatch(service, programId);
    await sent(stream);
    const reads = async () => {
      const { rows } = await service.database.pool.query<{ how: string }>(
        "select how from dispatch_reads where dispatch_id = $1",
        [id],
      );
      return rows.map(({ how }) => how);
    };
    expect(await reads()).toEqual([]);
    await anna.call("GET", `/dispatches/${id}`);
    expect(await reads()).toEqual(["fetched"]);
    stream.close();
  });
});

const play = async (type: string, more: object) => {
  const answer = await fetch(`${service.sandboxUrl}/2022-04-15${createScenario.path}`, {
    method: "POST",
    headers: { "x-service-api-key": key, "content-type": "application/json" },
    body: JSON.stringify(scenarioOf(service, type, more)),
  });
  expect(answer.status).toBe(200);
  return (await answer.json()) as { dispatches: Array<{ id: string }> };
};

describe("in the sandbox", () => {
  beforeAll(prepareKey);

  test("a sandbox key has the dispatches of its scenario, each state in time; a new scenario replaces them", async () => {
    const stream = await streamAt(service.sandboxUrl, { key });
    expect((await sent(stream)).data.dispatches).toMatchObject([{ id: "dis_sandbox" }]);
    const { dispatches } = await play("cancellation", { cancel_time: inMinutes(service, 40) });
    const id = dispatches[0]?.id;
    expect(await sent(stream)).toMatchObject({ event: "snapshot", data: { dispatches: [] } });
    service.clock.advance({ minutes: 10 });
    expect(await sent(stream)).toMatchObject({ event: "dispatch", data: { id, authorized: true } });
    service.clock.advance({ minutes: 30 });
    expect(await sent(stream)).toMatchObject({ event: "dispatch", data: { id, authorized: false } });
    const next = await play("basic", { notification_time: inMinutes(service, 0) });
    const replaced = await sent(stream);
    expect(replaced).toMatchObject({ event: "snapshot", data: { dispatches: [{ id: next.dispatches[0]?.id }] } });
    stream.close();
  });
});
