import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { openadr, prepare, programId, pushed, service, states, untilTold } from "../../support/ven-push.js";

beforeAll(prepare);

describe("rule 15", () => {
  test("rule 15: a VEN with an address is pushed each modification, by our certificate, and acknowledges later", async () => {
    const { ven, server } = await pushed();
    const { id } = await newDispatch(service, programId);
    const [first] = await server.pushes(1);
    await untilTold(id, ven, "delivered 0");
    service.clock.advance({ seconds: 1 });
    expect(first?.response).toBeNull();
    expect(first?.events[0]).toMatchObject({ responseRequired: "always", descriptor: { eventId: id } });
    expect((await ven.answer(first?.events ?? [])).response.responseCode).toBe("200");
    service.clock.advance({ seconds: 1 });
    await service.made(operator.changeDispatch, { params: { id }, body: { end_time: ahead(service, { hours: 3 }) } });
    await server.pushes(2);
    await untilTold(id, ven, "delivered 1");
    service.clock.advance({ seconds: 1 });
    await service.made(operator.changeDispatch, { params: { id }, body: { authorized: false } });
    await server.pushes(3);
    expect(states(server)).toEqual(["far 0", "far 1", "cancelled 2"]);
    expect(server.peers).toEqual(["localhost", "localhost", "localhost"]);
    expect(await untilTold(id, ven, "delivered 2")).toEqual([
      "notified 0",
      "attempt 0",
      "delivered 0",
      "acknowledged 0",
      "notified 1",
      "attempt 1",
      "delivered 1",
      "notified 2",
      "attempt 2",
      "delivered 2",
    ]);
  });

  test("rule 15: a failed push is tried again by the schedule of webhooks, then given up", async () => {
    const bert = await service.newParticipant();
    const { ven, server } = await pushed(bert);
    server.status = 500;
    const { id } = await newDispatch(service, await newProgram(service, [bert]));
    for (const seconds of [3, 8, 22, 65]) {
      const count = server.received.length + 1;
      await server.pushes(count);
      await expect
        .poll(async () => (await openadr(id, ven)).filter((each) => each.startsWith("attempt")).length)
        .toBe(count);
      service.clock.advance({ seconds });
    }
    await server.pushes(5);
    await untilTold(id, ven, "failed 0");
    service.clock.advance({ minutes: 10 });
    server.status = 200;
    await service.made(operator.changeDispatch, { params: { id }, body: { end_time: ahead(service, { hours: 3 }) } });
    await server.pushes(6);
    expect(states(server).slice(4)).toEqual(["far 0", "far 1"]);
  });

  test("rule 15: the VEN's server is checked against its authority", async () => {
    const bert = await service.newParticipant();
    const { ven, server } = await pushed(bert, null);
    const { id } = await newDispatch(service, await newProgram(service, [bert]));
    await untilTold(id, ven, "attempt 0 tls");
    expect(server.received).toEqual([]);
    // It still polls, which is allowed.
    service.clock.advance({ seconds: 1 });
    expect(await ven.events()).toHaveLength(1);
    expect((await openadr(id, ven)).at(-1)).toBe("polled 0");
  });
});
