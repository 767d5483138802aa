import { createTestDispatch, operator } from "@curtail/contract";
import { atEnd } from "@curtail/testing/at-end";
import { beforeAll, describe, expect, test } from "vitest";
import { VenPolls } from "../../../src/openadr/operations/note-ven-polls.js";
import type { LoopClock } from "../../../src/platform/clock.js";
import { acknowledge, alarmsAbout, judgeOnce, untilAlarms } from "../../support/alarms.js";
import { ahead } from "../../support/dispatching.js";
import { evidenceOf } from "../../support/evidence.js";
import { fakeClock } from "../../support/fake-clock.js";
import { type Running, running } from "../../support/running.js";
import { anna, eventOf, failure, prepare, requiredOf, service, shown, vens } from "../../support/ven-alarms.js";
import { listeningToVens, type TestVen, untilListened } from "../../support/vens.js";

beforeAll(prepare);

const untilStopped: LoopClock["sleep"] = (_ms, signal) =>
  new Promise((resolve) => signal?.addEventListener("abort", () => resolve()));

describe("an error that a VEN reports", () => {
  test("stands in the evidence once with its code and text, and the event stays unacknowledged there", async () => {
    const { ven, id } = await shown();
    for (let round = 0; round < 3; round++) await ven.answer(await eventOf(ven, id), failure);
    service.clock.advance({ minutes: 3 });
    const own = (await evidenceOf(service, id)).filter(({ detail }) => detail["ven"] === ven.ven.id);
    expect(own.filter(({ what }) => what === "acknowledged")).toEqual([]);
    expect(own.filter(({ detail }) => detail["reason"] === "ven_error")).toMatchObject([
      { what: "failed", detail: { response_code: "400", error: "no relay is configured", modification_number: 0 } },
    ]);
    expect(own.some(({ detail }) => detail["reason"] === "not_acknowledged")).toBe(true);
    await ven.answer(await eventOf(ven, id), { ...failure, description: "something else" });
    const later = (await evidenceOf(service, id)).filter(({ detail }) => detail["ven"] === ven.ven.id);
    expect(later).toEqual(own);
  });

  test("of the whole message counts for each answer in it, and without answers for all that are owed", async () => {
    const { ven, id } = await shown();
    await ven.answer(await eventOf(ven, id), { messageCode: "503" });
    expect(await requiredOf(ven, id)).toBe("always");
    await untilAlarms(service, { kind: "ven_error", id: `${ven.ven.id} ${id}` }, 1);
    const other = await shown();
    await eventOf(other.ven, other.id);
    await other.ven.answer([], { messageCode: "408" });
    const [alarm] = await untilAlarms(service, { kind: "ven_error", id: `${other.ven.ven.id} ${other.id}` }, 1);
    expect(alarm?.message).toContain("408");
  });

  test("is over with the dispatch", async () => {
    const { ven, id } = await shown();
    await ven.answer(await eventOf(ven, id), failure);
    await untilAlarms(service, { kind: "ven_error", id: `${ven.ven.id} ${id}` }, 1);
    service.clock.advance({ hours: 3, seconds: 1 });
    await untilAlarms(service, { kind: "ven_error", id: `${ven.ven.id} ${id}` }, 0);
  });

  test("fills no disk, however many a VEN thinks of", async () => {
    const { ven, id } = await shown();
    const events = await eventOf(ven, id);
    await service.database.pool.query(
      `insert into ven_errors (ven, dispatch_id, modification_number, code, first_at, last_at)
       select $1, $2, n, '400', now(), now() from generate_series(100, 1098) as n`,
      [ven.ven.id, id],
    );
    for (const code of ["401", "402"]) await ven.answer(events, { code });
    const { rows } = await service.database.pool.query("select count(*)::int as count from ven_errors where ven = $1", [
      ven.ven.id,
    ]);
    expect(rows).toEqual([{ count: 1000 }]);
  });
});

describe("an optOut", () => {
  test("is over when somebody has seen the alarm, and raises it anew for the next modification", async () => {
    const { ven, id } = await shown();
    const about = { kind: "ven_opted_out", id: `${ven.ven.id} ${id}` };
    await ven.answer(await eventOf(ven, id), { opt: "optOut" });
    const [alarm] = await untilAlarms(service, about, 1);
    expect((await acknowledge(service, alarm?.id)).body.cleared_at).not.toBeNull();
    await judgeOnce(service);
    expect(await alarmsAbout(service, about)).toEqual([]);
    await service.made(operator.changeDispatch, { params: { id }, body: { end_time: ahead(service, { hours: 4 }) } });
    await ven.answer(await eventOf(ven, id), { opt: "optOut" });
    await untilAlarms(service, about, 1);
  });

  test("is over when the dispatch ends or is cancelled", async () => {
    const [ended, cancelled] = [await shown(), await shown()];
    for (const { ven, id } of [ended, cancelled]) {
      await ven.answer(await eventOf(ven, id), { opt: "optOut" });
      await untilAlarms(service, { kind: "ven_opted_out", id: `${ven.ven.id} ${id}` }, 1);
    }
    await service.made(operator.changeDispatch, { params: { id: cancelled.id }, body: { authorized: false } });
    await untilAlarms(service, { kind: "ven_opted_out", id: `${cancelled.ven.ven.id} ${cancelled.id}` }, 0);
    service.clock.advance({ hours: 3, seconds: 1 });
    await untilAlarms(service, { kind: "ven_opted_out", id: `${ended.ven.ven.id} ${ended.id}` }, 0);
  });
});

test("what a VEN answers to a participant's own test alarms no operator", async () => {
  const [opting, failing] = [await vens.newVen(anna), await vens.newVen(anna)];
  const times = { start_time: ahead(service, { minutes: 1 }), end_time: ahead(service, { hours: 1 }) };
  const { id } = (await anna.call(createTestDispatch, { body: times })).body;
  await opting.answer(await eventOf(opting, id), { opt: "optOut" });
  await failing.answer(await eventOf(failing, id), failure);
  await judgeOnce(service);
  expect(await alarmsAbout(service, { kind: "ven_opted_out", id: `${opting.ven.id} ${id}` })).toEqual([]);
  expect(await alarmsAbout(service, { kind: "ven_error", id: `${failing.ven.id} ${id}` })).toEqual([]);
});

/** Ids of standing alarms about a VEN's silence, from the database: the first service may be gone. */
const silenceOf = async (on: Running, { ven }: TestVen): Promise<string[]> => {
  await judgeOnce(on);
  const { rows } = await on.database.pool.query<{ id: string }>(
    "select id from alarms where kind = 'ven_silent' and subject = $1 and cleared_at is null",
    [ven.id],
  );
  return rows.map(({ id }) => id);
};

describe("silence of VENs", () => {
  test("counts from when a process began to listen, so that an outage of ours alarms nobody", async () => {
    const own = await running();
    const ven = await (await listeningToVens(own)).newVen(await own.newParticipant());
    await ven.poll();
    await untilListened(own);
    await own.stop();
    own.clock.advance({ hours: 2 });
    await own.another();
    expect(await silenceOf(own, ven)).toEqual([]);
    await own.listenToVens();
    // Each check advances the clock by 5 seconds, in which it listens too: 30 in total are not more than three
    // intervals.
    own.clock.advance({ seconds: 25 });
    await untilListened(own);
    expect(await silenceOf(own, ven)).toEqual([]);
    own.clock.advance({ seconds: 5 });
    await untilListened(own);
    expect(await silenceOf(own, ven)).toHaveLength(1);
  });

  test("that held before a restart is no news after it", async () => {
    const own = await running();
    const ven = await (await listeningToVens(own)).newVen(await own.newParticipant());
    await ven.poll();
    await untilListened(own);
    own.clock.advance({ minutes: 1 });
    await untilListened(own);
    const before = await silenceOf(own, ven);
    expect(before).toHaveLength(1);
    await own.stop();
    await own.another();
    await own.listenToVens();
    expect(await silenceOf(own, ven)).toEqual(before);
  });

  test("is not counted while the database could not be reached", async () => {
    const saved: Array<{ id: string; since: number; until: number }> = [];
    const clock = fakeClock();
    let isAway = false;
    const notes = new VenPolls({
      archive: {
        save: async () => {},
        async saveListening({ id, since, until }) {
          if (isAway) throw new Error("the database is away");
          saved.push({ id, since: since.getTime(), until: until.getTime() });
        },
      },
      // Saves only when the test makes it.
      clock: { ...clock, sleep: untilStopped },
      newId: (prefix) => `${prefix}_${saved.length}`,
      log: { warn: () => {} },
      monotonicMs: () => clock.now().getTime(),
    });
    atEnd(() => notes.stop());
    await notes.startListening();
    clock.advance({ seconds: 3 });
    await notes.save();
    isAway = true;
    clock.advance({ seconds: 10 });
    await notes.save();
    isAway = false;
    clock.advance({ seconds: 10 });
    await notes.save();
    const [first, second, third] = saved;
    expect(second).toMatchObject({ id: first?.id, since: first?.since });
    expect(third).toMatchObject({ since: third?.until });
    expect(third?.id).not.toBe(first?.id);
  });
});
