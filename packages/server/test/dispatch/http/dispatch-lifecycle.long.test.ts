import { operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ahead, listedIds, newDispatch } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import {
  change,
  changed,
  get,
  history,
  prepare,
  prepareDispatch,
  prepareNotified,
  prepareStates,
  programId,
  reader,
  readProgram,
  seen,
  service,
  toldInAnHour,
} from "../../support/lives-of-dispatches.js";

beforeAll(prepare);

const issue = (body: object) => service.operator("POST", "/dispatches", { program_id: programId, ...body });

// Specification, "States and transitions"; G16.
describe("states and transitions", () => {
  beforeAll(prepareStates);

  beforeEach(prepareDispatch);

  describe("a dispatch", () => {
    test("moves earlier and later, start and end at once", async () => {
      const times = { start_time: ahead(service, { minutes: 30 }), end_time: ahead(service, { hours: 2 }) };
      await changed(times);
      expect(await seen()).toMatchObject({ ...times, modification_number: 1 });
      const later = { start_time: ahead(service, { hours: 3 }), end_time: ahead(service, { hours: 4 }) };
      await changed(later);
      expect(await seen()).toMatchObject({ ...later, modification_number: 2 });
    });

    test("under way ends at once when it is given an end in the past", async () => {
      service.clock.advance({ hours: 2 });
      const end_time = ahead(service, { minutes: -1 });
      expect((await changed({ end_time })).status).toBe(200);
      expect(await seen()).toMatchObject({ end_time, authorized: true, modification_number: 1 });
    });

    test("is not changed by a change that changes nothing", async () => {
      const { start_time, end_time, ...rest } = await seen();
      for (const body of [{}, { start_time }, { end_time }, { start_time: start_time.replace("Z", ".000+00:00") }]) {
        expect((await changed(body)).body).toMatchObject({ start_time, modification_number: 0 });
      }
      expect(await seen()).toEqual({ start_time, end_time, ...rest });
      expect(await history()).toHaveLength(1);
    });

    test("changed by several at once counts every change once", async () => {
      const hours = [2, 3, 4, 5, 6, 7, 8, 9];
      const answers = await Promise.all(hours.map((hour) => changed({ end_time: ahead(service, { hours: hour }) })));
      const numbers = answers.map(({ body }) => body.modification_number).toSorted((a, b) => a - b);
      expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      expect((await history()).map((each) => each.modification_number)).toEqual([0, ...numbers]);
    });
  });

  describe("the times of a dispatch", () => {
    test("span at most 31 days", async () => {
      const start_time = ahead(service, { hours: 1 });
      expect((await issue({ start_time, end_time: ahead(service, { days: 31, hours: 1 }) })).status).toBe(201);
      const long = await issue({ start_time, end_time: ahead(service, { days: 31, hours: 1, seconds: 1 }) });
      expectError(long, 400, /at most 31 days/);
      expectError(await changed({ end_time: ahead(service, { days: 32 }) }), 400, /at most 31 days/);
    });

    test("begin at most a year ahead", async () => {
      expect((await issue({ start_time: ahead(service, { days: 365 }) })).status).toBe(201);
      expectError(await issue({ start_time: ahead(service, { days: 367 }) }), 400, /at most a year ahead/);
      expectError(await changed({ start_time: ahead(service, { days: 367 }) }), 400, /at most a year ahead/);
    });

    test("end after they begin", async () => {
      const start_time = ahead(service, { hours: 1 });
      expectError(await issue({ start_time, end_time: start_time }), 400, /end_time must be after start_time/);
      expectError(
        await changed({ end_time: ahead(service, { minutes: 59 }) }),
        400,
        /end_time must be after start_time/,
      );
    });
  });
});

// Specification, "States and transitions"; G16: before its notification time a dispatch does not exist for participants.
describe("a dispatch with a notification time", () => {
  beforeEach(prepareNotified);

  test("cancelled at that very time appears as cancelled", async () => {
    const { id } = await toldInAnHour();
    service.clock.advance({ hours: 1 });
    await change(id, { authorized: false });
    expect((await get(id)).body).toMatchObject({ authorized: false, modification_number: 1 });
    expect(await listedIds(reader)).toEqual([id]);
  });

  test("that lies in the past is told at once", async () => {
    const { id } = await newDispatch(service, readProgram, { notification_time: ahead(service, { days: -2 }) });
    expect(await listedIds(reader)).toEqual([id]);
  });

  test("must not be told after it starts", async () => {
    const body = { program_id: readProgram, start_time: ahead(service, { hours: 1 }) };
    const late = { ...body, notification_time: ahead(service, { hours: 1, seconds: 1 }) };
    expectError(await service.operator(operator.createDispatch, { body: late }), 400, /notification_time/);
    const justInTime = { ...body, notification_time: ahead(service, { hours: 1 }) };
    expect((await service.operator(operator.createDispatch, { body: justInTime })).status).toBe(201);
  });

  test("is there for the operator from the beginning", async () => {
    const { id } = await toldInAnHour();
    const { body } = await service.operator(operator.getAnyDispatch, { params: { id } });
    expect(body).toMatchObject({ id, notification_time: ahead(service, { hours: 1 }), modification_number: 0 });
  });
});
