import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch } from "../../support/dispatching.js";
import { idsOf, only, patch, prepare, scene, service, statuses, vens } from "../../support/ven-rules.js";

beforeAll(prepare);

describe("rule 1", () => {
  test("rule 1: every answer lists all events, a completed one for 5 minutes after its end", async () => {
    const { ven, programId } = await scene();
    const { id: first } = await newDispatch(service, programId, { end_time: ahead(service, { minutes: 90 }) });
    const { id: second } = await newDispatch(service, programId, { start_time: ahead(service, { hours: 2 }) });
    for (let poll = 0; poll < 3; poll++) expect(idsOf(await ven.events())).toEqual([first, second]);
    service.clock.advance({ minutes: 94, seconds: 59 });
    expect(await statuses(ven)).toEqual(["far 0", "completed 0"]);
    service.clock.advance({ seconds: 1 });
    expect(idsOf(await ven.events())).toEqual([second]);
  });

  test("rule 1: a dispatch is not there before its notification time", async () => {
    const { ven, programId } = await scene();
    const notification_time = ahead(service, { minutes: 10 });
    await newDispatch(service, programId, { notification_time });
    expect(await ven.events()).toEqual([]);
    service.clock.advance({ minutes: 10 });
    expect(only(await ven.events()).activePeriod.notificationSeconds).toBe(50 * 60);
  });
});

test("rule 3: the modification number rises with a change, not with a status", async () => {
  const { ven, programId } = await scene();
  const { id } = await newDispatch(service, programId, { end_time: ahead(service, { hours: 2 }) });
  await patch(id, { start_time: ahead(service, { minutes: 30 }) });
  expect(await statuses(ven)).toEqual(["far 1"]);
  service.clock.advance({ minutes: 30 });
  expect(await statuses(ven)).toEqual(["active 1"]);
});

describe("rule 4", () => {
  test("rule 4: a cancel is listed until this VEN has acknowledged it, with either opt", async () => {
    const { anna, ven, programId } = await scene();
    const other = await vens.newVen(anna);
    const { id } = await newDispatch(service, programId);
    for (const each of [ven, other]) await each.events();
    await patch(id, { authorized: false });
    expect(await statuses(ven)).toEqual(["cancelled 1"]);
    await ven.answer(await ven.events(), { opt: "optOut" });
    expect(await ven.events()).toEqual([]);
    expect(await statuses(other)).toEqual(["cancelled 1"]);
    service.clock.advance({ minutes: 30 });
    expect(await other.events()).toEqual([]);
  });
});

describe("rule 8", () => {
  test("rule 8: events target the resources of the VEN's sites alone", async () => {
    const { anna, programId } = await scene([["a"], ["b"], ["c"]]);
    const bert = await service.newParticipant();
    const [first, second] = anna.sites.map(({ id }) => id);
    await service.made(operator.enrolSite, {
      params: { id: programId, site_id: bert.sites[0]?.id ?? "" },
      body: { commitment: 1 },
    });
    await service.made(operator.changeSite, { params: { id: first ?? "" }, body: { customer_location_id: "Store 7" } });
    const some = await vens.newVen(anna, {
      sites: [first ?? "", second ?? ""],
      targets: { resource: "customer_location_id", ven_id: false },
    });
    const all = await vens.newVen(anna);
    const third = await vens.newVen(anna, { sites: [anna.sites[2]?.id ?? ""] });
    const { id } = await newDispatch(service, programId);
    await newDispatch(service, programId, { sites: [{ site_id: second ?? "" }] });
    const [event] = await some.events();
    expect(event?.descriptor.eventId).toBe(id);
    expect(event?.target).toMatchObject({ resourceIds: ["Store 7", second], venIds: [] });
    expect((await all.events())[0]?.target).toMatchObject({
      resourceIds: anna.sites.map((site) => site.id),
      venIds: [all.venId],
    });
    expect(only(await third.events()).target.resourceIds).toEqual([anna.sites[2]?.id]);
  });
});

describe("rule 9", () => {
  test("rule 9: a VEN is asked until it has answered this modification", async () => {
    const { ven, programId } = await scene();
    const { id } = await newDispatch(service, programId);
    expect(only(await ven.events()).responseRequired).toBe("always");
    expect((await ven.answer(await ven.events())).response).toMatchObject({
      responseCode: "200",
      requestId: "created-1",
    });
    expect(only(await ven.events()).responseRequired).toBe("never");
    await patch(id, { end_time: ahead(service, { hours: 4 }) });
    expect(only(await ven.events()).responseRequired).toBe("always");
  });

  test("rule 9: an event that this VEN was never sent is answered 452", async () => {
    const { ven, anna, programId } = await scene();
    await newDispatch(service, programId);
    const other = await vens.newVen(anna);
    expect((await other.answer(await ven.events())).response.responseCode).toBe("452");
  });
});
