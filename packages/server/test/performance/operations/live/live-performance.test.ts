import { createTestDispatch, operator } from "@curtail/contract";
import { atEnd } from "@curtail/testing/at-end";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { storesOver } from "../../../../src/app/stores.js";
import { LivePerformance } from "../../../../src/performance/operations/live/live-performance.js";
import { NoRoom } from "../../../../src/performance/operations/live/measuring-memory.js";
import type { MeasurementReader } from "../../../../src/performance/operations/measurement-ports.js";
import { measurementReader } from "../../../../src/performance/storage/measurement-reader.js";
import { newId } from "../../../../src/platform/runtime/secrets.js";
import { rulesStore } from "../../../../src/portfolio/storage/rules-store.js";
import { ahead, newDispatch, newProgram } from "../../../support/dispatching.js";
import { newStampsOnly } from "../../../support/measuring.js";
import { type Participant, type Running, running } from "../../../support/running.js";
import { testSecretBox } from "../../../support/secret-box.js";

// Dispatches held for measuring stay within a memory budget.
let service: Running;
let anna: Participant;
let program: string;

// Estimated bytes for a dispatch of one site and one meter for an hour.
const ONE = 27_300;

beforeAll(async () => {
  service = await running({ CURTAIL_ROLES: "api", DATABASE_URL: "postgres://given.by.the.test/db" });
  anna = await service.newParticipant();
  program = await newProgram(service, [anna]);
});

let live: LivePerformance;

const onError = (error: unknown) => {
  throw error;
};

const withRoomFor = (
  dispatches: number,
  reader: MeasurementReader = measurementReader(service.database.pool, {
    ...newStampsOnly,
    rules: rulesStore(service.database.pool),
  }),
  waitMs = 10_000,
): LivePerformance => {
  const { late, performance } = storesOver(service.database.pool, testSecretBox);
  const ports = { reader, late, store: performance, clock: service.clock, newId };
  const made = new LivePerformance(ports, { onError, waitMs, budgetBytes: dispatches * ONE });
  atEnd(() => made.stop());
  return made;
};

const times = () => ({ start_time: ahead(service, { hours: 1 }), end_time: ahead(service, { hours: 2 }) });
const issued = async (): Promise<string> => (await newDispatch(service, program, times())).id;

const ownTest = async (): Promise<string> => {
  const participant = await service.newParticipant();
  return (await participant.call(createTestDispatch, { body: times() })).body.id;
};

const looked = async (id: string): Promise<void> => {
  expect(await live.whole(id)).not.toBeNull();
  service.clock.advance({ seconds: 1 });
};

const heldOf = (ids: readonly string[]): string[] => ids.filter((id) => live.tracker(id) !== null);

beforeEach(() => {
  live = withRoomFor(2);
});

describe("a look at a dispatch that does not fit beside the others", () => {
  test("lets the least recently looked at go, which comes back when it is looked at", async () => {
    const [first, second, third] = [await issued(), await issued(), await issued()];
    for (const id of [first, second, first, third]) await looked(id);
    expect(heldOf([first, second, third])).toEqual([first, third]);
    await looked(second);
    expect(heldOf([first, second, third])).toEqual([second, third]);
  });

  test("leaves what somebody listens to", async () => {
    const [first, second, third] = [await issued(), await issued(), await issued()];
    for (const id of [first, second]) {
      await looked(id);
      live.listen(id, () => {});
    }
    await expect(live.whole(third)).rejects.toThrow(NoRoom);
    expect(heldOf([first, second])).toEqual([first, second]);
  });

  test("lets a participant's own test go whoever listens to it, and says so to its listeners", async () => {
    const [test, other, third] = [await ownTest(), await issued(), await issued()];
    let told = 0;
    for (const id of [test, other]) {
      await looked(id);
      live.listen(id, () => told++);
    }
    await looked(third);
    live.listen(third, () => {});
    expect(heldOf([test, other, third])).toEqual([other, third]);
    expect(told).toBe(1);
    await expect(live.whole(await ownTest())).rejects.toThrow(NoRoom);
  });

  test("finds room again after what nobody looks at any more is let go", async () => {
    const [first, second, third] = [await issued(), await issued(), await issued()];
    const stops = [];
    for (const id of [first, second]) {
      await looked(id);
      stops.push(live.listen(id, () => {}));
    }
    await expect(live.whole(third)).rejects.toThrow(NoRoom);
    for (const stop of stops) stop();
    service.clock.advance({ minutes: 6 });
    await live.update();
    expect(heldOf([first, second])).toEqual([]);
    await looked(third);
  });
});

test("a look at a dispatch that is being read tells how far the reading has come", async () => {
  // As many meters as are read at once, and one more: the second site is read after the first.
  const meters = Array.from({ length: 16 }, (_, index) => `meter ${index}`);
  const participant = await service.newParticipant({ sites: [meters, ["main"]] });
  const { id } = await newDispatch(service, await newProgram(service, [participant]), times());
  const reader = measurementReader(service.database.pool, {
    ...newStampsOnly,
    rules: rulesStore(service.database.pool),
  });
  let letGo: (() => void) | undefined;
  const isLetGo = new Promise<void>((resolve) => (letGo = resolve));
  live = withRoomFor(
    100,
    {
      ...reader,
      async reporting(asked, hours) {
        if (asked.length < meters.length) await isLetGo;
        return reader.reporting(asked, hours);
      },
    },
    50,
  );
  await expect.poll(() => live.current(id)).toMatchObject({ dispatchId: id, progress: 0.5 });
  letGo?.();
  await expect.poll(() => live.current(id)).toMatchObject({ dispatch: { id } });
});

test("what only a worker follows lets nobody go, and goes first for a look", async () => {
  const [first, second, third, fourth] = [await issued(), await issued(), await issued(), await issued()];
  live.follow(first);
  await looked(first);
  live.follow(second);
  await expect.poll(() => live.tracker(second)).not.toBeNull();
  await looked(third);
  live.follow(fourth);
  await expect.poll(() => live.isFollowed(fourth)).toBe(false);
  expect(heldOf([first, second, third, fourth])).toEqual([first, third]);
});

test("a dispatch that is changed is read anew within the budget", async () => {
  const [first, second] = [await issued(), await issued()];
  for (const id of [first, second]) await looked(id);
  await service.made(operator.changeDispatch, {
    params: { id: first },
    body: { end_time: ahead(service, { minutes: 90 }) },
  });
  await looked(first);
  expect(live.tracker(first)?.dispatch.modificationNumber).toBe(1);
});

test("what is read while the others are brought up to date is not taken for outdated", async () => {
  const [first, second] = [await issued(), await issued()];
  const reader = measurementReader(service.database.pool, {
    ...newStampsOnly,
    rules: rulesStore(service.database.pool),
  });
  let isReading = false;
  live = withRoomFor(2, {
    ...reader,
    async modifications(ids) {
      const found = await reader.modifications(ids);
      if (!isReading) return found;
      isReading = false;
      await live.whole(second);
      return found;
    },
  });
  await looked(first);
  isReading = true;
  await live.update();
  const read = live.tracker(second)?.id;
  expect(read).toBeDefined();
  await looked(second);
  expect(live.tracker(second)?.id).toBe(read);
});
