import { createTestDispatch, createWebhook, listDispatches, operator } from "@curtail/contract";
import { type Receiver, receiver } from "@curtail/testing/receiver";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { type Client31, runningVtn, type Vtn } from "../../support/openadr-3.js";
import { untilResources } from "../../support/openadr3-objects.js";
import type { Participant } from "../../support/running.js";
import { readSent } from "../../support/ven-client.js";
import { VendorVen } from "../../support/vendor-ven.js";
import { listeningToVens, type TestVen } from "../../support/vens.js";

let service: Vtn;

beforeAll(async () => {
  service = await runningVtn();
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
  let client: Client31;
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
    client = await service.ven({ participant: anna });
    const [{ id: venId }] = (await client.vens.search()).body;
    await untilResources(service, venId, anna.sites.length);
  });

  interface Event31 {
    readonly id: string;
    readonly eventName: string;
    readonly programID: string;
    readonly modificationDateTime: string;
    readonly targets: readonly string[];
    readonly intervalPeriod: { readonly start: string; readonly duration: string };
  }

  const event31 = async (id: string): Promise<Event31 | undefined> => {
    const { status, body } = await client.events.search();
    if (status !== 200) throw new Error(`events answered ${status}`);
    return (body as Event31[]).find(({ eventName }) => eventName.endsWith(id));
  };

  /** A cancelled dispatch has no event, and no event has a number of its state. */
  const byOpenadr3 = async (id: string): Promise<Pick<Seen, "start" | "end"> | null> => {
    const event = await event31(id);
    if (event === undefined) return null;
    const { start, duration } = event.intervalPeriod;
    const [, hours = "0", minutes = "0", seconds = "0"] = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/.exec(duration) ?? [];
    const lengthMs = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
    const from = new Date(start);
    // An open end: a day, as the program expects, since no dispatch here is that long.
    return { start: whole(from), end: duration === "P1D" ? null : whole(new Date(from.getTime() + lengthMs)) };
  };

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

  test("REST, webhooks and both versions of OpenADR say the same of a dispatch from its creation to its cancel", async () => {
    const start = ahead(service, { minutes: 10 });
    const { id } = await newDispatch(service, programId, { start_time: start });
    const expectAll = async (notices: number, seen: Omit<Seen, "modification">): Promise<void> => {
      const expected = { modification: notices - 1, ...seen };
      expect([await byRest(id), await byWebhook(id, notices), await byOpenadr(id)]).toEqual([
        expected,
        expected,
        expected,
      ]);
      // Its events follow a moment later.
      const event = seen.isOn ? { start: seen.start, end: seen.end } : null;
      await expect.poll(() => byOpenadr3(id)).toEqual(event);
    };
    const change = (body: object) => service.made(operator.changeDispatch, { params: { id }, body });

    await expectAll(1, { start, end: null, isOn: true });
    await vendor.poll();
    expect(vendor.levelAt(id, service.clock.now())).toBe(0);

    const first = await event31(id);
    expect(first?.targets).toEqual(anna.sites.map((site) => site.id));
    const earlier = ahead(service, { minutes: 5 });
    service.clock.advance({ seconds: 1 });
    await change({ start_time: earlier });
    await expectAll(2, { start: earlier, end: null, isOn: true });
    const second = await event31(id);
    expect(second?.id).toBe(first?.id);
    expect(Date.parse(second?.modificationDateTime ?? "")).toBeGreaterThan(
      Date.parse(first?.modificationDateTime ?? ""),
    );
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

  test("an early end is the same end over every channel", async () => {
    const start = ahead(service, { seconds: 1 });
    const { id } = await newDispatch(service, programId, { start_time: start, end_time: ahead(service, { hours: 2 }) });
    await expect.poll(() => byOpenadr3(id)).not.toBeNull();
    service.clock.advance({ minutes: 10 });
    const end = ahead(service, {});
    await service.made(operator.changeDispatch, { params: { id }, body: { end_time: end } });
    expect(await byRest(id)).toMatchObject({ start, end });
    expect(await byOpenadr(id)).toMatchObject({ start, end });
    await expect.poll(() => byOpenadr3(id)).toEqual({ start, end });
    service.clock.advance({ seconds: 1 });
    const active = (await client.events.search({ active: true })).body as Event31[];
    expect(active.map(({ eventName }) => eventName).filter((name) => name.endsWith(id))).toEqual([]);
  });

  test("a participant's test is marked as one over every channel", async () => {
    const period = { start_time: ahead(service, { minutes: 5 }), end_time: ahead(service, { minutes: 15 }) };
    const { body } = await anna.call(createTestDispatch, { body: period });
    expect(body).toMatchObject({ test: true });
    const event = (await ven.events()).find(({ descriptor }) => descriptor.eventId === body.id);
    expect(event).toMatchObject({ descriptor: { test: true } });
    await expect.poll(() => byOpenadr3(body.id)).toEqual({ start: period.start_time, end: period.end_time });
    const shown = await event31(body.id);
    expect(shown?.eventName).toMatch(/^TEST /);
    expect((await client.programs.get(shown?.programID ?? "")).body).toMatchObject({ programName: "Test dispatch" });
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
    await expect.poll(() => byOpenadr3(id)).toBeNull();
    await vendor.poll();
    expect(await ven.events()).toEqual([]);
  });

  test("a VEN goes on as it was told while the database is away, and hears of the cancel when it is back", async () => {
    const { id } = await newDispatch(service, programId, { start_time: ahead(service, { seconds: 1 }) });
    await vendor.poll();
    await expect.poll(() => byOpenadr3(id)).not.toBeNull();
    service.clock.advance({ seconds: 1 });
    await service.database.cutOff();
    expect(await client.events.search()).toMatchObject({ status: 503 });
    await vendor.poll();
    expect(vendor.levelAt(id, service.clock.now())).toBe(2);
    await service.database.letIn();
    await expect.poll(async () => (await ven.request()).status).toBe(200);
    await service.made(operator.changeDispatch, { params: { id }, body: { authorized: false } });
    await vendor.poll();
    expect(vendor.levelAt(id, service.clock.now())).toBe(0);
    await expect.poll(() => byOpenadr3(id).catch(() => "away")).toBeNull();
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
