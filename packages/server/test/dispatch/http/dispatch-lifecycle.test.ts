import { operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ahead, listedIds, newDispatch } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import {
  change,
  changed,
  get,
  history,
  id,
  prepare,
  prepareDispatch,
  prepareNotified,
  prepareStates,
  reader,
  readProgram,
  seen,
  service,
  toldInAnHour,
} from "../../support/lives-of-dispatches.js";

beforeAll(prepare);

// Specification, "States and transitions"; G16.
describe("states and transitions", () => {
  beforeAll(prepareStates);

  beforeEach(prepareDispatch);

  describe("a dispatch", () => {
    test("without an end is given one later", async () => {
      expect(await seen()).toMatchObject({ end_time: null, modification_number: 0 });
      const end_time = ahead(service, { hours: 5 });
      expect((await changed({ end_time })).body).toMatchObject({ id, end_time, modification_number: 1 });
      expect(await seen()).toMatchObject({ end_time, modification_number: 1 });
    });

    test("can be changed until its end, and not after it", async () => {
      await changed({ end_time: ahead(service, { hours: 2 }) });
      service.clock.advance({ hours: 2 });
      const end_time = ahead(service, { hours: 1 });
      expect((await changed({ end_time })).body).toMatchObject({ end_time, modification_number: 2 });
      service.clock.advance({ hours: 1, seconds: 1 });
      expectError(await changed({ end_time: ahead(service, { hours: 1 }) }), 400, /is over and cannot be changed/);
      expectError(await changed({ authorized: false }), 400, /is over and cannot be changed/);
      expect(await seen()).toMatchObject({ end_time, authorized: true, modification_number: 2 });
    });

    test("once cancelled stays as it is", async () => {
      expect((await changed({ authorized: false })).body).toMatchObject({ authorized: false, modification_number: 1 });
      expectError(await changed({ end_time: ahead(service, { hours: 9 }) }), 400, /is cancelled and cannot be changed/);
      expectError(await changed({ authorized: true }), 400, /only false is supported/);
      expect((await changed({ authorized: false })).body).toMatchObject({ authorized: false, modification_number: 1 });
      expect(await seen()).toMatchObject({ authorized: false, end_time: null, modification_number: 1 });
    });

    test("whose end is known does not lose it", async () => {
      await changed({ end_time: ahead(service, { hours: 5 }) });
      expectError(await changed({ end_time: null }), 400, /cannot become null again/);
    });

    test("keeps every revision with its time, its actor and its number", async () => {
      const created = ahead(service, {});
      const start_time = (await seen()).start_time;
      service.clock.advance({ minutes: 1 });
      const end_time = ahead(service, { hours: 5 });
      await changed({ end_time });
      service.clock.advance({ minutes: 1 });
      await changed({ authorized: false });
      const rest = { actor: "operator", actor_name: null, start_time, authorized: true };
      expect(await history()).toEqual([
        { ...rest, modification_number: 0, at: created, end_time: null },
        { ...rest, modification_number: 1, at: ahead(service, { minutes: -1 }), end_time },
        { ...rest, modification_number: 2, at: ahead(service, {}), end_time, authorized: false },
      ]);
    });
  });
});

// Specification, "States and transitions"; G16: before its notification time a dispatch does not exist for participants.
describe("a dispatch with a notification time", () => {
  beforeEach(prepareNotified);

  test("is told at once where no time is given", async () => {
    const { id } = await newDispatch(service, readProgram);
    expect(await listedIds(reader)).toEqual([id]);
    const { body } = await service.operator(operator.getAnyDispatch, { params: { id } });
    expect(body.notification_time).toBe(ahead(service, {}));
  });

  test("appears at that time, neither in the list nor by its id a second before", async () => {
    const { id } = await toldInAnHour();
    service.clock.advance({ minutes: 59, seconds: 59 });
    expect(await listedIds(reader)).toEqual([]);
    const before = await get(id);
    expectError(before, 404);
    expect(before.text).toBe((await get("dis_0000000000000000")).text);
    service.clock.advance({ seconds: 1 });
    expect(await listedIds(reader)).toEqual([id]);
    expect((await get(id)).status).toBe(200);
  });

  test("changed before that time appears as changed, and only its number tells", async () => {
    const { id } = await toldInAnHour();
    const start_time = ahead(service, { hours: 3 });
    await change(id, { start_time });
    await change(id, { end_time: ahead(service, { hours: 4 }) });
    expect(await listedIds(reader)).toEqual([]);
    service.clock.advance({ hours: 1 });
    expect((await get(id)).body).toMatchObject({ start_time, modification_number: 2, authorized: true });
  });

  test("cancelled before that time never appears", async () => {
    const { id } = await toldInAnHour();
    service.clock.advance({ minutes: 59 });
    await change(id, { authorized: false });
    for (const minutes of [0, 1, 30, 24 * 60]) {
      service.clock.advance({ minutes });
      expect(await listedIds(reader)).toEqual([]);
      expectError(await get(id), 404);
    }
  });
});
