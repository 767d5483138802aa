import { listDispatches, operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { running } from "../../support/running.js";
import {
  ended,
  prepare,
  prepareKey,
  prepareReader,
  prepareTwo,
  reader,
  sent,
  service,
  streamAt,
} from "../../support/streams-of-dispatches.js";

beforeAll(prepare);

describe("a stream of dispatches", () => {
  beforeAll(prepareTwo);

  test("sends the whole list again when a dispatch has left it", async () => {
    const carla = await service.newParticipant();
    const own = await newProgram(service, [carla]);
    const { id } = await newDispatch(service, own, { end_time: ahead(service, { hours: 2 }) });
    const stream = await streamAt(service.url, carla);
    expect((await sent(stream)).data.dispatches).toMatchObject([{ id }]);
    service.clock.advance({ hours: 26, seconds: 1 });
    expect(await sent(stream)).toMatchObject({ event: "snapshot", data: { dispatches: [] } });
    stream.close();
  });
});

describe("a stream that broke off", () => {
  beforeAll(prepareReader);

  test.each(["", "nonsense", "1.short", "2.aaaaaaaa0", `1${".aaaaaaaa0".repeat(201)}`, "1.aaaaaaaa0\u00e9"])(
    "begins anew if its last event has an id that no stream gave out: %#",
    async (id) => {
      const stream = await streamAt(service.url, reader, id);
      expect((await sent(stream)).event).toBe("snapshot");
      stream.close();
    },
  );
});

describe("the end of a stream", () => {
  test("comes when its key expires", async () => {
    const anna = await service.newParticipant();
    await service.database.pool.query("update api_keys set expires_at = $2 where id = $1", [
      anna.keyId,
      ahead(service, { minutes: 5 }),
    ]);
    const stream = await streamAt(service.url, anna);
    await sent(stream);
    service.clock.advance({ minutes: 5 });
    expect(await ended(stream)).toEqual([]);
  });

  test("does not come because other keys were revoked or claimed", async () => {
    const [anna, ben] = [await service.newParticipant(), await service.newParticipant()];
    const programId = await newProgram(service, [anna]);
    const stream = await streamAt(service.url, anna);
    await sent(stream);
    await service.made(operator.revokeKey, { params: { id: ben.keyId } });
    const { id } = await newDispatch(service, programId);
    expect((await sent(stream)).data.id).toBe(id);
    stream.close();
  });
});

describe("access to the stream", () => {
  test("tells readers to wait before they connect again, each for another time", async () => {
    const anna = await service.newParticipant();
    const waits = new Set<number>();
    for (let count = 0; count < 5; count++) {
      const stream = await streamAt(service.url, anna);
      await sent(stream);
      waits.add(Number(/^retry: (\d+)$/m.exec(stream.preamble)?.[1]));
      stream.close();
    }
    for (const wait of waits) expect(wait >= 500 && wait <= 3000, `${wait} ms`).toBe(true);
    expect(waits.size).toBeGreaterThan(1);
  });
});

describe("in the sandbox", () => {
  beforeAll(prepareKey);

  test("the public key has the fixed dispatch, once; the polls of others do not move", async () => {
    const stream = await streamAt(service.sandboxUrl, { key: "sandbox-public-key" });
    expect((await sent(stream)).data.dispatches).toMatchObject([{ id: "dis_sandbox", modification_number: 0 }]);
    service.clock.advance({ minutes: 1 });
    const before = (await service.publicCall(listDispatches)).body.dispatches[0]?.start_time ?? "";
    service.clock.advance({ seconds: 5 });
    const after = (await service.publicCall(listDispatches)).body.dispatches[0]?.start_time ?? "";
    expect(Date.parse(after) - Date.parse(before)).toBe(5000);
    stream.close();
  });
});

test("after a restart a reader continues at another process, without loss and without doubles", async () => {
  const own = await running();
  const anna = await own.newParticipant();
  const programId = await newProgram(own, [anna]);
  const stream = await streamAt(own.url, anna);
  const before = [await sent(stream)];
  const first = await newDispatch(own, programId);
  before.push(await sent(stream));
  const other = await own.another();
  await own.stop();
  expect(await ended(stream)).toEqual([]);
  await own.database.pool.query("update dispatches set modification_number = 1, changed_at = $2 where id = $1", [
    first.id,
    own.clock.now(),
  ]);
  const again = await streamAt(other, anna, before.at(-1)?.id);
  expect(await sent(again)).toMatchObject({ event: "dispatch", data: { id: first.id, modification_number: 1 } });
  again.close();
});
