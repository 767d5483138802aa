import { createWebhook, listDispatches, operator } from "@curtail/contract";
import { type Receiver, receiver } from "@curtail/testing/receiver";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { type Participant, type Running, running } from "../../support/running.js";
import { readSent } from "../../support/ven-client.js";
import { VendorVen } from "../../support/vendor-ven.js";
import { listeningToVens, type TestVen } from "../../support/vens.js";

let service: Running;

beforeAll(async () => {
  service = await running();
});

describe("the preview of a message", () => {
  let ven: TestVen;
  let dispatchId: string;

  beforeAll(async () => {
    const vens = await listeningToVens(service);
    const anna = await service.newParticipant();
    ven = await vens.newVen(anna);
    dispatchId = (await newDispatch(service, await newProgram(service, [anna]))).id;
  });

  test("the preview is the message that the VEN would get, and tells it nothing", async () => {
    const { xml } = await service.made(operator.previewVen, { params: { id: ven.ven.id } });
    expect(readSent(xml)).toMatchObject({ kind: "distributeEvent", events: [{ descriptor: { eventId: dispatchId } }] });
    expect(await service.made(operator.listVenEvents, { params: { id: ven.ven.id } })).toMatchObject({ items: [] });
    const message = readSent(xml);
    expect(await ven.events()).toEqual(message.kind === "distributeEvent" ? message.events : null);
  });

  test("a VEN that is gone has no preview", async () => {
    expect((await service.operator(operator.previewVen, { params: { id: "ven_0000000000000000" } })).status).toBe(404);
  });
});

interface Seen {
  readonly modification: number;
  readonly start: string;
  readonly end: string | null;
  readonly isOn: boolean;
}

const whole = (at: Date): string => at.toISOString().replace(".000Z", "Z");

describe("one dispatch over every channel", () => {
  let anna: Participant;
  let hook: Receiver;
  let ven: TestVen;
  let vendor: VendorVen;
  let programId: string;

  beforeAll(async () => {
    const vens = await listeningToVens(service);
    anna = await service.newParticipant();
    programId = await newProgram(service, [anna]);
    hook = await receiver();
    const events = [{ name: "dispatch.create" as const }, { name: "dispatch.update" as const }];
    await anna.call(createWebhook, { body: { url: hook.url, events } });
    ven = await vens.newVen(anna);
    vendor = new VendorVen(ven);
  });

  const byRest = async (id: string): Promise<Seen> => {
    const { body } = await anna.call(listDispatches);
    const dispatch = body.dispatches.find((each) => each.id === id);
    if (dispatch === undefined) throw new Error(`${id} is not listed`);
    return {
      modification: dispatch.modification_number,
      start: dispatch.start_time,
      end: dispatch.end_time,
      isOn: dispatch.authorized,
    };
  };

  /** A webhook only names the resource; the content is what the resource has. */
  const byWebhook = async (id: string, notices: number): Promise<Seen> => {
    const latest = (await hook.notices(notices))[notices - 1];
    expect(latest?.event).toBe(notices === 1 ? "dispatch.create" : "dispatch.update");
    const { body } = await anna.call("GET", (latest?.resource ?? "").replace("/2022-04-15", ""));
    expect(body.id).toBe(id);
    return {
      modification: body.modification_number,
      start: body.start_time,
      end: body.end_time,
      isOn: body.authorized,
    };
  };

  const byOpenadr = async (id: string): Promise<Seen> => {
    const event = (await ven.events()).find(({ descriptor }) => descriptor.eventId === id);
    if (event === undefined) throw new Error("the VEN is not shown the dispatch");
    const { start, durationSeconds } = event.activePeriod;
    return {
      modification: event.descriptor.modificationNumber,
      start: whole(start),
      end: durationSeconds === 0 ? null : whole(new Date(start.getTime() + durationSeconds * 1000)),
      isOn: event.descriptor.status !== "cancelled",
    };
  };

  test("REST, webhooks and OpenADR say the same of a dispatch from its creation to its cancel", async () => {
    const start = ahead(service, { minutes: 10 });
    const { id } = await newDispatch(service, programId, { start_time: start });
    const expectAll = async (notices: number, seen: Omit<Seen, "modification">): Promise<void> => {
      const expected = { modification: notices - 1, ...seen };
      expect([await byRest(id), await byWebhook(id, notices), await byOpenadr(id)]).toEqual([
        expected,
        expected,
        expected,
      ]);
    };
    const change = (body: object) => service.made(operator.changeDispatch, { params: { id }, body });

    await expectAll(1, { start, end: null, isOn: true });
    await vendor.poll();
    expect(vendor.levelAt(id, service.clock.now())).toBe(0);

    const earlier = ahead(service, { minutes: 5 });
    await change({ start_time: earlier });
    await expectAll(2, { start: earlier, end: null, isOn: true });
    service.clock.advance({ minutes: 5 });
    await vendor.poll();
    expect(vendor.levelAt(id, service.clock.now())).toBe(2);

    vendor.restart();
    expect(vendor.levelAt(id, service.clock.now())).toBe(0);
    await vendor.poll();
    expect(vendor.levelAt(id, service.clock.now())).toBe(2);

    const end = ahead(service, { hours: 2 });
    await change({ end_time: end });
    await expectAll(3, { start: earlier, end, isOn: true });
    await vendor.poll();
    expect(vendor.levelAt(id, new Date(Date.parse(end) - 1))).toBe(2);
    expect(vendor.levelAt(id, new Date(end))).toBe(0);

    await change({ authorized: false });
    await expectAll(4, { start: earlier, end, isOn: false });
    await vendor.poll();
    expect(vendor.levelAt(id, service.clock.now())).toBe(0);
    // It has acknowledged the cancel.
    expect(await ven.events()).toEqual([]);
  });

  test("a voided dispatch is cancelled for a VEN that was shown it, and is nothing to one that was not", async () => {
    const other = await (await listeningToVens(service)).newVen(anna);
    const times = { start_time: ahead(service, { seconds: 1 }), end_time: ahead(service, { minutes: 10 }) };
    const { id } = await newDispatch(service, programId, times);
    await ven.events();
    service.clock.advance({ minutes: 20 });
    expect(await ven.events()).toEqual([]);
    await service.made(operator.changeDispatch, {
      params: { id },
      body: { authorized: false, void_reason: "A mistake" },
    });
    expect(await ven.events()).toMatchObject([
      { descriptor: { eventId: id, status: "cancelled", modificationNumber: 1 } },
    ]);
    expect(await other.events()).toEqual([]);
    await vendor.poll();
    expect(await ven.events()).toEqual([]);
  });

  test("a VEN goes on as it was told while the database is away, and hears of the cancel when it is back", async () => {
    const { id } = await newDispatch(service, programId, { start_time: ahead(service, { seconds: 1 }) });
    await vendor.poll();
    service.clock.advance({ seconds: 1 });
    await service.database.cutOff();
    await vendor.poll();
    expect(vendor.levelAt(id, service.clock.now())).toBe(2);
    await service.database.letIn();
    await expect.poll(async () => (await ven.request()).status, { timeout: 10_000 }).toBe(200);
    await service.made(operator.changeDispatch, { params: { id }, body: { authorized: false } });
    await vendor.poll();
    expect(vendor.levelAt(id, service.clock.now())).toBe(0);
  });

  test("what a VEN was shown and answered outlives a restart of the service", async () => {
    const { id } = await newDispatch(service, programId);
    await vendor.poll();
    await service.another();
    const next = ven.as({ port: await service.listenToVens() });
    const [event] = await next.events();
    expect(event).toMatchObject({ responseRequired: "never", descriptor: { eventId: id, modificationNumber: 0 } });
  });
});
