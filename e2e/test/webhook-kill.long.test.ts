import { setTimeout as sleep } from "node:timers/promises";
import { participantClient } from "@curtail/client";
import { createTestDispatch, operator } from "@curtail/contract";
import { describe, type TestContext, test, vi } from "vitest";
import { HookReceiver } from "./support/hook-receiver.js";
import { type Issued, missing, outOfOrder, renamed } from "./support/issued.js";
import { kill, type Victim, victims } from "./support/kills.js";
import { newParticipant, newProgram, operate, type Participant } from "./support/participant.js";
import { preparedFolder } from "./support/prepared-data.js";
import { type ServiceProcess, startProcess, underLoad } from "./support/service-process.js";
import { soakRounds } from "./support/soak.js";
import { registerWebhook } from "./support/webhooks.js";

const ROUNDS = soakRounds(4);
const ANSWERED_ROUNDS = 2;
const STORIES_PER_ROUND = 2;
/**
 * A webhook with four requests in flight when its worker was killed gets no more for eleven seconds: enough for all
 * rounds.
 */
const WEBHOOKS_PER_ACCOUNT = 6;
/** A killed worker's deliveries are sent again after their lease; then come retries, and those that waited for them. */
const RECOVERY_MS = 60_000;
/** From a kill until its deliveries are sent again by a process that is running by then. */
const AGAIN_MS = 15_000;
/** Allowance for a machine that is busy with other tests. */
const SLOWNESS_MS = 10_000;

interface Stage {
  readonly receiver: HookReceiver;
  readonly settings: ReturnType<typeof underLoad>;
  readonly participants: readonly Participant[];
  readonly programId: string;
  /** Dispatches whose creation was answered with 200. */
  readonly answered: string[];
}

/** A dispatch is created, changed and cancelled in turn, unless the service dies first. */
const story = async (url: string, { participants, programId, answered }: Stage): Promise<void> => {
  const sites = participants.map((participant) => ({ site_id: participant.sites[0]?.id ?? "" }));
  const start = Date.now() + 3_600_000;
  const at = (minutes: number): string => new Date(start + minutes * 60_000).toISOString();
  const body = { program_id: programId, start_time: at(0), end_time: at(60), sites };
  const { id } = await operate(url, operator.createDispatch, { body });
  answered.push(id);
  await sleep(Math.random() * 100);
  await operate(url, operator.changeDispatch, { params: { id }, body: { end_time: at(90) } });
  await sleep(Math.random() * 100);
  await operate(url, operator.changeDispatch, { params: { id }, body: { authorized: false } });
};

/** Kills in the middle of dispatches and deliveries. Whether anything was lost is checked only at the very end. */
const killed = async (service: ServiceProcess, victim: Victim, stage: Stage): Promise<ServiceProcess> => {
  const { receiver, answered } = stage;
  const before = answered.length;
  receiver.holdNext();
  const stories = Array.from({ length: STORIES_PER_ROUND }, () => story(service.url, stage).catch(() => {}));
  // Anywhere in the work: up to 300 ms after there is a dispatch and a notice is in flight.
  const isUnderWay = (): boolean => answered.length > before && receiver.isHoldingOne();
  await vi.waitUntil(isUnderWay, { timeout: 60_000, interval: 5 });
  await sleep(Math.random() * 300);
  const bringBack = await kill(service, victim, stage.settings);
  await Promise.all(stories);
  receiver.letGo();
  return bringBack();
};

/** All dispatches, including those whose creation was interrupted before its answer. */
const allIssued = async (url: string): Promise<Issued[]> => {
  const { items } = await operate(url, operator.listAllDispatches, { query: { limit: 500 } });
  return items.map(({ id, modification_number }) => ({ id, revisions: modification_number + 1 }));
};

const staged = async (receiver: HookReceiver, settings: Stage["settings"], url: string) => {
  const hooks = await receiver.listen();
  const participants = [await newParticipant(url, 1), await newParticipant(url, 1)];
  const paths = participants.flatMap(({ accountId }) =>
    Array.from({ length: WEBHOOKS_PER_ACCOUNT }, (_, index) => `/${accountId}/${index}`),
  );
  for (const [index, participant] of participants.entries()) {
    const own = paths.slice(index * WEBHOOKS_PER_ACCOUNT, (index + 1) * WEBHOOKS_PER_ACCOUNT);
    for (const path of own) await registerWebhook(url, participant, hooks + path);
  }
  const programId = await newProgram(url);
  const stage: Stage = { receiver, settings, participants, programId, answered: [] };
  return { stage, paths };
};

/** What is still missing after time to recover; what the receiver forgot will not come. */
const lackingAtLast = async ({ forgottenCount }: HookReceiver, lacking: () => string[]): Promise<string[]> => {
  const patience = { timeout: RECOVERY_MS, interval: 200 };
  await vi.waitUntil(() => lacking().length <= forgottenCount(), patience).catch(() => {});
  return lacking();
};

const rounds = async (count: number, receiver = new HookReceiver()) => {
  const folder = await preparedFolder();
  const settings = underLoad(folder.dataDir);
  let service = await startProcess(settings);
  try {
    const { stage, paths } = await staged(receiver, settings, service.url);
    for (let round = 0; round < count; round++) {
      service = await killed(service, victims[round % victims.length] ?? "both", stage);
    }
    const issued = await allIssued(service.url);
    const lost = await lackingAtLast(receiver, () => missing(receiver.arrivals, paths, issued));
    return { arrivals: receiver.arrivals, issued, answered: stage.answered, lost };
  } finally {
    await service.end("SIGTERM");
    receiver.close();
    await folder.remove();
  }
};

/** Everything arrived, under one id each, in order; and the kills interrupted work. */
const losesNothing = async ({ expect }: TestContext): Promise<void> => {
  const { arrivals, issued, answered, lost } = await rounds(ROUNDS);
  expect(lost).toEqual([]);
  expect(renamed(arrivals, issued)).toEqual([]);
  expect(outOfOrder(arrivals)).toEqual([]);
  const ids = new Set(issued.map(({ id }) => id));
  expect(answered.filter((id) => !ids.has(id))).toEqual([]);
  // The kills interrupted work.
  expect(issued.length).toBeGreaterThanOrEqual(ROUNDS);
  expect(arrivals.filter(({ isCut }) => isCut).length).toBeGreaterThan(ROUNDS / 3);
};

/** A participant's own dispatch; returns its id as soon as it is answered. */
const ownDispatch = async (url: string, { key }: Participant): Promise<string> => {
  const [start_time = "", end_time = ""] = [1, 2].map((hours) =>
    new Date(Date.now() + hours * 3_600_000).toISOString(),
  );
  return (await participantClient({ url, key }).call(createTestDispatch, { body: { start_time, end_time } })).id;
};

/**
 * Kills as soon as a dispatch is answered. No notice is answered before the last kill, so none is delivered by then.
 */
const killedOnceAnswered = async (count: number) => {
  const folder = await preparedFolder();
  const receiver = new HookReceiver();
  const settings = underLoad(folder.dataDir);
  let service = await startProcess(settings);
  try {
    const { stage, paths } = await staged(receiver, settings, service.url);
    const owners = stage.participants.map((participant, index) => ({
      participant,
      paths: paths.slice(index * WEBHOOKS_PER_ACCOUNT, (index + 1) * WEBHOOKS_PER_ACCOUNT),
      issued: [] as Issued[],
    }));
    receiver.isHolding = true;
    for (let round = 0; round < count; round++) {
      // In turns: an account may have three tests of its own (G47).
      const owner = owners[round % owners.length];
      if (owner === undefined) throw new Error("there is no participant");
      owner.issued.push({ id: await ownDispatch(service.url, owner.participant), revisions: 1 });
      await service.end("SIGKILL");
      service = await startProcess(settings);
    }
    receiver.isHolding = false;
    const lost = await lackingAtLast(receiver, () =>
      owners.flatMap((owner) => missing(receiver.arrivals, owner.paths, owner.issued)),
    );
    return { arrivals: receiver.arrivals, issued: owners.flatMap(({ issued }) => issued), lost };
  } finally {
    await service.end("SIGTERM");
    receiver.close();
    await folder.remove();
  }
};

/** Kills while every notice of a dispatch is in flight; returns how late each was sent again. */
const lateness = async (): Promise<number[]> => {
  const folder = await preparedFolder();
  const receiver = new HookReceiver();
  const settings = underLoad(folder.dataDir);
  let service = await startProcess(settings);
  try {
    const { stage, paths } = await staged(receiver, settings, service.url);
    receiver.isHolding = true;
    const [anna] = stage.participants;
    if (anna === undefined) throw new Error("there is no participant");
    await ownDispatch(service.url, anna);
    await vi.waitUntil(() => receiver.arrivals.length === paths.length / 2, 10_000);
    const ids = new Set(receiver.arrivals.map(({ webhookId }) => webhookId));
    const killedMs = Date.now();
    await service.end("SIGKILL");
    service = await startProcess(settings);
    const dueMs = Math.max(killedMs + AGAIN_MS, Date.now());
    const again = () => receiver.arrivals.filter(({ atMs }) => atMs > killedMs);
    await vi.waitUntil(() => again().length >= ids.size, 40_000);
    const repeated = again().slice(0, ids.size);
    if (!repeated.every(({ webhookId }) => ids.has(webhookId))) throw new Error("something else came");
    return repeated.map(({ atMs }) => atMs - dueMs);
  } finally {
    receiver.isHolding = false;
    await service.end("SIGTERM");
    receiver.close();
    await folder.remove();
  }
};

test("kill -9 of the service: what was under way comes again within 15 s", async ({ expect }) => {
  const lateMs = await lateness();
  expect(lateMs).toHaveLength(WEBHOOKS_PER_ACCOUNT);
  expect(Math.max(...lateMs)).toBeLessThan(SLOWNESS_MS);
}, 240_000);

describe.concurrent("kill -9 of the service, of its database and of both, in the middle of deliveries", () => {
  test(
    `${ROUNDS} rounds lose no notice; repetitions keep their id, and the order holds`,
    losesNothing,
    140_000 + ROUNDS * 25_000,
  );

  test(`${ANSWERED_ROUNDS} times right after the answer to POST /dispatches, its notice comes after the start`, async ({
    expect,
  }) => {
    const { arrivals, issued, lost } = await killedOnceAnswered(ANSWERED_ROUNDS);
    expect(issued).toHaveLength(ANSWERED_ROUNDS);
    expect(lost).toEqual([]);
    expect(renamed(arrivals, issued)).toEqual([]);
  }, 240_000);

  test("control: a receiver that answers 200 and forgets a fourth is found out by the same harness", async ({
    expect,
  }) => {
    const receiver = new HookReceiver({ forgetsEvery: 4 });
    const { lost } = await rounds(1, receiver);
    expect(lost.length).toBeGreaterThan(0);
    expect(lost).toHaveLength(receiver.forgottenCount());
  }, 240_000);
});
