import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ahead, listedIds, newDispatch, newProgram } from "../support/dispatching.js";
import { expectError } from "../support/expect-error.js";
import { type Participant, type Running, running } from "../support/running.js";

// Specification, "States and transitions"; G16: before its notification time a dispatch does not exist for participants.
let service: Running;
let anna: Participant;
let programId: string;

beforeAll(async () => {
  service = await running();
});

beforeEach(async () => {
  anna = await service.newParticipant();
  programId = await newProgram(service, [anna]);
});

const get = (id: string) => anna.call("GET", `/dispatches/${id}`);
const change = (id: string, body: object) => service.made("PATCH", `/dispatches/${id}`, body);
const toldInAnHour = () =>
  newDispatch(service, programId, {
    notification_time: ahead(service, { hours: 1 }),
    start_time: ahead(service, { hours: 2 }),
  });

describe("a dispatch with a notification time", () => {
  test("is told at once where no time is given", async () => {
    const { id } = await newDispatch(service, programId);
    expect(await listedIds(anna)).toEqual([id]);
    const { body } = await service.operator("GET", `/dispatches/${id}`);
    expect(body.notification_time).toBe(ahead(service, {}));
  });

  test("appears at that time, neither in the list nor by its id a second before", async () => {
    const { id } = await toldInAnHour();
    service.clock.advance({ minutes: 59, seconds: 59 });
    expect(await listedIds(anna)).toEqual([]);
    const before = await get(id);
    expectError(before, 404);
    expect(before.text).toBe((await get("dis_0000000000000000")).text);
    service.clock.advance({ seconds: 1 });
    expect(await listedIds(anna)).toEqual([id]);
    expect((await get(id)).status).toBe(200);
  });

  test("changed before that time appears as changed, and only its number tells", async () => {
    const { id } = await toldInAnHour();
    const start_time = ahead(service, { hours: 3 });
    await change(id, { start_time });
    await change(id, { end_time: ahead(service, { hours: 4 }) });
    expect(await listedIds(anna)).toEqual([]);
    service.clock.advance({ hours: 1 });
    expect((await get(id)).body).toMatchObject({ start_time, modification_number: 2, authorized: true });
  });

  test("cancelled before that time never appears", async () => {
    const { id } = await toldInAnHour();
    service.clock.advance({ minutes: 59 });
    await change(id, { authorized: false });
    for (const minutes of [0, 1, 30, 24 * 60]) {
      service.clock.advance({ minutes });
      expect(await listedIds(anna)).toEqual([]);
      expectError(await get(id), 404);
    }
  });

  test("cancelled at that very time appears as cancelled", async () => {
    const { id } = await toldInAnHour();
    service.clock.advance({ hours: 1 });
    await change(id, { authorized: false });
    expect((await get(id)).body).toMatchObject({ authorized: false, modification_number: 1 });
    expect(await listedIds(anna)).toEqual([id]);
  });

  test("that lies in the past is told at once", async () => {
    const { id } = await newDispatch(service, programId, { notification_time: ahead(service, { days: -2 }) });
    expect(await listedIds(anna)).toEqual([id]);
  });

  test("must not be told after it starts", async () => {
    const body = { program_id: programId, start_time: ahead(service, { hours: 1 }) };
    const late = { ...body, notification_time: ahead(service, { hours: 1, seconds: 1 }) };
    expectError(await service.operator("POST", "/dispatches", late), 400, /notification_time/);
    const justInTime = { ...body, notification_time: ahead(service, { hours: 1 }) };
    expect((await service.operator("POST", "/dispatches", justInTime)).status).toBe(201);
  });

  test("is there for the operator from the beginning", async () => {
    const { id } = await toldInAnHour();
    const { body } = await service.operator("GET", `/dispatches/${id}`);
    expect(body).toMatchObject({ id, notification_time: ahead(service, { hours: 1 }), modification_number: 0 });
  });
});
