import { getDispatch, operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ahead, listedIds, newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { type Participant, type Running, running } from "../../support/running.js";

let service: Running;

beforeAll(async () => {
  service = await running();
});

// Specification, "States and transitions"; G16.
describe("states and transitions", () => {
  let anna: Participant;
  let programId: string;

  beforeAll(async () => {
    anna = await service.newParticipant();
    programId = await newProgram(service, [anna]);
  });

  let id: string;

  beforeEach(async () => {
    ({ id } = await newDispatch(service, programId));
  });

  const seen = async () => (await anna.call(getDispatch, { params: { id } })).body;
  const change = (body: object) => service.operator(operator.changeDispatch, { params: { id }, body });
  const issue = (body: object) => service.operator("POST", "/dispatches", { program_id: programId, ...body });
  const history = async () => (await service.operator(operator.getAnyDispatch, { params: { id } })).body.revisions;

  describe("a dispatch", () => {
    test("without an end is given one later", async () => {
      expect(await seen()).toMatchObject({ end_time: null, modification_number: 0 });
      const end_time = ahead(service, { hours: 5 });
      expect((await change({ end_time })).body).toMatchObject({ id, end_time, modification_number: 1 });
      expect(await seen()).toMatchObject({ end_time, modification_number: 1 });
    });

    test("moves earlier and later, start and end at once", async () => {
      const times = { start_time: ahead(service, { minutes: 30 }), end_time: ahead(service, { hours: 2 }) };
      await change(times);
      expect(await seen()).toMatchObject({ ...times, modification_number: 1 });
      const later = { start_time: ahead(service, { hours: 3 }), end_time: ahead(service, { hours: 4 }) };
      await change(later);
      expect(await seen()).toMatchObject({ ...later, modification_number: 2 });
    });

    test("under way ends at once when it is given an end in the past", async () => {
      service.clock.advance({ hours: 2 });
      const end_time = ahead(service, { minutes: -1 });
      expect((await change({ end_time })).status).toBe(200);
      expect(await seen()).toMatchObject({ end_time, authorized: true, modification_number: 1 });
    });

    test("is not changed by a change that changes nothing", async () => {
      const { start_time, end_time, ...rest } = await seen();
      for (const body of [{}, { start_time }, { end_time }, { start_time: start_time.replace("Z", ".000+00:00") }]) {
        expect((await change(body)).body).toMatchObject({ start_time, modification_number: 0 });
      }
      expect(await seen()).toEqual({ start_time, end_time, ...rest });
      expect(await history()).toHaveLength(1);
    });

    test("can be changed until its end, and not after it", async () => {
      await change({ end_time: ahead(service, { hours: 2 }) });
      service.clock.advance({ hours: 2 });
      const end_time = ahead(service, { hours: 1 });
      expect((await change({ end_time })).body).toMatchObject({ end_time, modification_number: 2 });
      service.clock.advance({ hours: 1, seconds: 1 });
      expectError(await change({ end_time: ahead(service, { hours: 1 }) }), 400, /is over and cannot be changed/);
      expectError(await change({ authorized: false }), 400, /is over and cannot be changed/);
      expect(await seen()).toMatchObject({ end_time, authorized: true, modification_number: 2 });
    });

    test("once cancelled stays as it is", async () => {
      expect((await change({ authorized: false })).body).toMatchObject({ authorized: false, modification_number: 1 });
      expectError(await change({ end_time: ahead(service, { hours: 9 }) }), 400, /is cancelled and cannot be changed/);
      expectError(await change({ authorized: true }), 400, /only false is supported/);
      expect((await change({ authorized: false })).body).toMatchObject({ authorized: false, modification_number: 1 });
      expect(await seen()).toMatchObject({ authorized: false, end_time: null, modification_number: 1 });
    });

    test("whose end is known does not lose it", async () => {
      await change({ end_time: ahead(service, { hours: 5 }) });
      expectError(await change({ end_time: null }), 400, /cannot become null again/);
    });

    test("keeps every revision with its time, its actor and its number", async () => {
      const created = ahead(service, {});
      const start_time = (await seen()).start_time;
      service.clock.advance({ minutes: 1 });
      const end_time = ahead(service, { hours: 5 });
      await change({ end_time });
      service.clock.advance({ minutes: 1 });
      await change({ authorized: false });
      const rest = { actor: "operator", actor_name: null, start_time, authorized: true };
      expect(await history()).toEqual([
        { ...rest, modification_number: 0, at: created, end_time: null },
        { ...rest, modification_number: 1, at: ahead(service, { minutes: -1 }), end_time },
        { ...rest, modification_number: 2, at: ahead(service, {}), end_time, authorized: false },
      ]);
    });

    test("changed by several at once counts every change once", async () => {
      const hours = [2, 3, 4, 5, 6, 7, 8, 9];
      const answers = await Promise.all(hours.map((hour) => change({ end_time: ahead(service, { hours: hour }) })));
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
      expectError(await change({ end_time: ahead(service, { days: 32 }) }), 400, /at most 31 days/);
    });

    test("begin at most a year ahead", async () => {
      expect((await issue({ start_time: ahead(service, { days: 365 }) })).status).toBe(201);
      expectError(await issue({ start_time: ahead(service, { days: 367 }) }), 400, /at most a year ahead/);
      expectError(await change({ start_time: ahead(service, { days: 367 }) }), 400, /at most a year ahead/);
    });

    test("end after they begin", async () => {
      const start_time = ahead(service, { hours: 1 });
      expectError(await issue({ start_time, end_time: start_time }), 400, /end_time must be after start_time/);
      expectError(
        await change({ end_time: ahead(service, { minutes: 59 }) }),
        400,
        /end_time must be after start_time/,
      );
    });
  });
});

const change = (id: string, body: object) => service.made(operator.changeDispatch, { params: { id }, body });

// Specification, "States and transitions"; G16: before its notification time a dispatch does not exist for participants.
describe("a dispatch with a notification time", () => {
  let anna: Participant;
  let programId: string;

  beforeEach(async () => {
    anna = await service.newParticipant();
    programId = await newProgram(service, [anna]);
  });

  const get = (id: string) => anna.call(getDispatch, { params: { id } });
  const toldInAnHour = () =>
    newDispatch(service, programId, {
      notification_time: ahead(service, { hours: 1 }),
      start_time: ahead(service, { hours: 2 }),
    });

  test("is told at once where no time is given", async () => {
    const { id } = await newDispatch(service, programId);
    expect(await listedIds(anna)).toEqual([id]);
    const { body } = await service.operator(operator.getAnyDispatch, { params: { id } });
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
