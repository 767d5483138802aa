import { listDispatches, operator } from "@curtail/contract";
import { type ReplayedState, stateAt } from "@curtail/contract/replay";
import { beforeAll, describe, expect, test } from "vitest";
import { acknowledge, alarms, judgeOnce, untilAlarms } from "../../support/alarms.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { firstOf, kwReading, upload } from "../../support/metering.js";
import { type Participant, type Running, running } from "../../support/running.js";
import { mailRows, poll } from "../../support/unreachable.js";

let service: Running;
let anna: Participant;
let ben: Participant;
let cara: Participant;

beforeAll(async () => {
  service = await running();
  anna = await service.newParticipant({ name: "Anna" });
  ben = await service.newParticipant({ name: "Ben" });
  cara = await service.newParticipant({ name: "Cara" });
});

/** Every event, a few at a time. */
const eventsOf = async (id: string, limit = 7): Promise<operator.ReplayEvent[]> => {
  const all: operator.ReplayEvent[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const query = { limit, ...(cursor === undefined ? {} : { cursor }) };
    const page = await service.made(operator.listReplayEvents, { params: { id }, query });
    all.push(...page.items);
    cursor = page.next_cursor;
  }
  return all;
};

/** What the board counts. */
interface Counted {
  readonly at: Date;
  readonly accounts: number;
  readonly notNotified: number;
  /** By their kind, those that nobody acknowledged, then the others. */
  readonly open: readonly string[];
  readonly acknowledged: readonly string[];
}

const boardNow = async (id: string): Promise<Counted> => {
  const { accounts, reached } = await service.made(operator.getDispatchAttention, { params: { id } });
  const about = (await alarms(service)).filter((each) => `${each.subject} ${each.message}`.includes(id));
  const kinds = (isOpen: boolean) =>
    about
      .filter(({ acknowledged_at }) => (acknowledged_at === null) === isOpen)
      .map(({ kind }) => kind)
      .toSorted();
  return {
    at: service.clock.now(),
    accounts,
    notNotified: accounts - reached,
    open: kinds(true),
    acknowledged: kinds(false),
  };
};

const countedIn = (state: ReplayedState, at: Date): Counted => {
  const kinds = (isOpen: boolean) =>
    state.alarms
      .filter(({ acknowledged_at }) => (acknowledged_at === null) === isOpen)
      .map(({ alarm_kind }) => alarm_kind)
      .toSorted();
  return {
    at,
    accounts: state.accounts.length,
    notNotified: state.not_notified.length,
    open: kinds(true),
    acknowledged: kinds(false),
  };
};

/** Waits until so many emails could not be sent. */
const unsent = (id: string, count: number) =>
  poll(async () => (await mailRows(service, id)).filter(({ state }) => state === "no_contacts").length, count);

const disable = (participant: Participant, disabled: boolean) =>
  service.made(operator.changeAccount, {
    params: { id: participant.accountId },
    body: { disabled, ...(disabled ? { confirm_running: true } : {}) },
  });

const reads = (participant: Participant) =>
  upload(participant, [kwReading(firstOf(participant).meterId, ahead(service, { seconds: -30 }), 80)]);

test("a replay gives the counts that the board showed while the dispatch ran", async () => {
  const programId = await newProgram(service, [anna, ben, cara]);
  const { id } = await newDispatch(service, programId, { start_time: ahead(service, { minutes: 20 }) });
  const shown: Counted[] = [];
  /** Events of the same moment as a look may be before it or after it, and a check of alarms that runs meanwhile, too. */
  const look = async () => {
    await judgeOnce(service);
    service.clock.advance({ seconds: 1 });
    shown.push(await boardNow(id));
    await judgeOnce(service);
    service.clock.advance({ seconds: 1 });
  };
  const failed = { kind: "notice_failed", id };
  const stale = { kind: "telemetry_stale", id };
  await unsent(id, 3);
  await untilAlarms(service, failed, 3);
  await untilAlarms(service, stale, 1);
  await look();

  await anna.call(listDispatches);
  await untilAlarms(service, failed, 2);
  await look();

  // Recorded two minutes after the person was reached: the board did not know before.
  service.clock.advance({ minutes: 2 });
  await look();
  const call = {
    account_id: ben.accountId,
    person: "Ana",
    note: "starts at once",
    at: ahead(service, { minutes: -2 }),
  };
  await service.made(operator.recordPhoneCall, { params: { id }, body: call });
  await untilAlarms(service, failed, 1);
  await look();

  // The alarm ends and is raised again.
  for (const each of [anna, ben, cara]) await reads(each);
  await untilAlarms(service, stale, 0);
  await look();
  service.clock.advance({ minutes: 16 });
  const [again] = await untilAlarms(service, stale, 1);
  await acknowledge(service, again?.id);
  await look();

  await service.made(operator.changeDispatch, { params: { id }, body: { end_time: ahead(service, { hours: 2 }) } });
  // Anna polls, so that she has a minute.
  await unsent(id, 5);
  await untilAlarms(service, failed, 2);
  await look();
  await ben.call(listDispatches);
  await disable(cara, true);
  await untilAlarms(service, failed, 0);
  await look();
  await disable(cara, false);
  await look();

  // Another dispatch of the same accounts, and what becomes of this one, change nothing of what was.
  const { id: other } = await newDispatch(service, programId, { start_time: ahead(service, { minutes: 10 }) });
  await unsent(other, 1);
  await untilAlarms(service, { kind: "notice_failed", id: other }, 1);
  await anna.call(listDispatches);
  await look();
  service.clock.advance({ hours: 3 });
  await service.made(operator.changeDispatch, { params: { id }, body: { authorized: false, void_reason: "a test" } });
  // Its readings are not waited for any more, and nobody has learnt of its end.
  await untilAlarms(service, stale, 0);
  await untilAlarms(service, failed, 3);
  await look();

  const events = await eventsOf(id);
  expect(shown.map(({ at }) => countedIn(stateAt(events, at), at))).toEqual(shown);
  // Each count changed, in both directions.
  expect(shown.map(({ accounts, notNotified, open }) => `${notNotified}/${accounts} ${open.length}`)).toEqual([
    "3/3 4",
    "2/3 3",
    "2/3 3",
    "1/3 2",
    "1/3 1",
    "1/3 1",
    "3/3 2",
    "1/2 0",
    "2/3 0",
    "1/3 0",
    "3/3 3",
  ]);
  expect(shown.map(({ acknowledged }) => acknowledged.length)).toContain(1);
});

describe("the events of a dispatch", () => {
  test("say who did what, and end with a page that is whole", async () => {
    const { id } = await newDispatch(service, await newProgram(service, [anna]));
    service.clock.advance({ seconds: 5 });
    const body = { account_id: anna.accountId, person: "Ana", note: "will start", at: ahead(service, { seconds: -3 }) };
    await service.made(operator.recordPhoneCall, { params: { id }, body });
    const events = (await eventsOf(id, 1)).filter(({ what }) => !what.startsWith("alarm"));
    expect(events).toEqual(await eventsOf(id, 500).then((all) => all.filter(({ what }) => !what.startsWith("alarm"))));
    expect(events).toMatchObject([
      { what: "issued", modification_number: 0, actor: "operator", end_time: null },
      { what: "targeted", account_name: "Anna", sites: 1, commitment_kw: 50 },
      { what: "phoned", account_id: anna.accountId, person: "Ana", called_at: body.at, at: ahead(service, {}) },
    ]);
  });

  test("are not found for a dispatch that does not exist, and need a valid cursor", async () => {
    expectError(await service.operator(operator.listReplayEvents, { params: { id: "dis_0" }, query: {} }), 404);
    const { id } = await newDispatch(service, await newProgram(service, [anna]));
    const query = { cursor: "nothing" };
    expectError(await service.operator(operator.listReplayEvents, { params: { id }, query }), 400, /cursor/);
  });
});
