import { setTimeout as sleep } from "node:timers/promises";
import { createParticipant } from "@curtail/client";
import { operator } from "@curtail/contract";
import { atEnd } from "@curtail/testing/at-end";
import { freePort } from "@curtail/testing/free-port";
import { beforeAll, expect, test } from "vitest";
import { type ExampleReceiver, startExample } from "./support/example-receiver.js";
import { HookReceiver } from "./support/hook-receiver.js";
import { type ListenerAccess, startListener } from "./support/listener.js";
import { newParticipant, newProgram, operate, type Participant } from "./support/participant.js";
import { type PreparedService, preparedService } from "./support/prepared-service.js";
import { type Front, type Interception, type Passed, recordingFront } from "./support/recording-front.js";
import { temporaryFolder } from "./support/service-process.js";
import { soakRounds } from "./support/soak.js";
import { registerWebhook } from "./support/webhooks.js";

const ROUNDS = soakRounds(2);
const LONGEST_LIFE_MS = 600;

let service: PreparedService;
let participant: Participant;
let program: string;
let access: ListenerAccess;

beforeAll(async () => {
  const home = await temporaryFolder();
  atEnd(() => home.remove());
  service = await preparedService();
  participant = await newParticipant(service.url, 1);
  program = await newProgram(service.url);
  access = { url: service.url, key: participant.key, home: home.path };
});

const inSeconds = (seconds: number): string => `${new Date(Date.now() + seconds * 1000).toISOString().slice(0, 19)}Z`;

const dispatched = async (): Promise<string> => {
  const sites = participant.sites.map(({ id }) => ({ site_id: id, commitment: 40 }));
  const body = { program_id: program, sites, start_time: inSeconds(-60) };
  return (await operate(service.url, operator.createDispatch, { body })).id;
};

const changed = (id: string, body: object) => operate(service.url, operator.changeDispatch, { params: { id }, body });

/** `examples/receiver.mjs`, at a port of its own, behind a front that counts. */
const receiverAt = async () => {
  const port = String(await freePort());
  const front = await recordingFront(port);
  const start = async (secret: string): Promise<ExampleReceiver> => {
    const settings = { CURTAIL_URL: service.url, CURTAIL_API_KEY: participant.key, PORT: port };
    const receiver = await startExample({ ...settings, WEBHOOK_SECRETS: secret });
    atEnd(() => receiver.stop());
    return receiver;
  };
  return { target: `${front.url}/`, front, start };
};

const eventOf = ({ body }: Passed): string => (JSON.parse(body) as { event: { name: string } }).event.name;

/** Notices of a dispatch that the receiver accepted. */
const accepted = ({ passed }: Front, id: string): readonly Passed[] =>
  passed.filter(({ status, body }) => status === 200 && body.includes(`/${id}"`));

/** Different notices: one that is repeated counts once. */
const noticeIds = (front: Front, id: string): ReadonlySet<string | string[] | undefined> =>
  new Set(accepted(front, id).map(({ headers }) => headers["webhook-id"]));

/** A process that starts, and the retries of what a kill cut off. */
const PATIENCE = { timeout: 30_000 };

const FOREIGN = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;

test("each event arrives once, signed so that the example's receiver takes it; one that was down gets it later", async () => {
  const before = await dispatched();
  const { target, front, start } = await receiverAt();
  const listener = await startListener(access, target);
  const id = await dispatched();
  await expect.poll(() => listener.lines[0]).toMatch(new RegExp(`^dispatch.create ${id} #0: .* attempt 2 in 2 s$`));
  const stranger = await start(FOREIGN);
  await stranger.says("refused a notice");
  await expect.poll(() => front.passed.map(({ status }) => status)).toEqual([401]);
  await stranger.stop();

  const receiver = await start(listener.secret);
  // Where starting takes long, the fourth attempt: 18 s after the third.
  await expect.poll(() => accepted(front, id), { timeout: 30_000 }).toHaveLength(1);
  const end = inSeconds(600);
  await changed(id, { end_time: end });
  expect(await receiver.says(`update ${id}`)).toContain(`until ${end}`);
  await changed(id, { authorized: false });
  expect(await receiver.says(`stop ${id}`)).toContain("cancelled");
  // It says so before it answers.
  const events = ["dispatch.create", "dispatch.update", "dispatch.update"];
  await expect.poll(() => accepted(front, id).map(eventOf)).toEqual(events);
  expect(new Set(accepted(front, id).map(({ headers }) => headers["webhook-id"])).size).toBe(3);
  expect(front.passed.filter(({ status }) => status === 401)).toHaveLength(1);
  expect(accepted(front, before)).toEqual([]);
});

test(
  `a listener that is killed ${2 * ROUNDS} times loses no notice, and repeats one only under its id`,
  async () => {
    const { target, front, start } = await receiverAt();
    let listener = await startListener(access, target);
    const receiver = await start(listener.secret);
    const killedAfter = async <T>(work: () => Promise<T>): Promise<T> => {
      const done = await work();
      await sleep(Math.random() * LONGEST_LIFE_MS);
      await listener.kill();
      listener = await startListener(access, target);
      return done;
    };
    const ids: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const id = await killedAfter(dispatched);
      // Before its next change: a listener that starts later forwards only the newest state.
      await expect.poll(() => noticeIds(front, id).size, PATIENCE).toBe(1);
      await killedAfter(() => changed(id, { authorized: false }));
      await expect.poll(() => noticeIds(front, id).size, PATIENCE).toBe(2);
      ids.push(id);
    }
    for (const id of ids) {
      expect(receiver.lines.filter((line) => line.includes(id))).toHaveLength(2);
      // A kill between the receiver's answer and the record of it.
      expect(accepted(front, id).length).toBeLessThanOrEqual(4);
    }
  },
  60_000 + ROUNDS * 30_000,
);

test(
  `each resend is forwarded, through ${2 * ROUNDS} kills, and repeated only under its id and mark`,
  async () => {
    const hook = new HookReceiver({ failingShare: 0 });
    const webhook = await registerWebhook(service.url, participant, await hook.listen());
    atEnd(async () => hook.close());
    const { target, front, start } = await receiverAt();
    let listener = await startListener(access, target, "--every", "1s");
    await start(listener.secret);
    const id = await dispatched();
    await expect.poll(() => accepted(front, id), PATIENCE).toHaveLength(1);
    const isThrough = async () => {
      const { items } = await operate(service.url, operator.listWebhookDeliveries, { params: { id: webhook.id } });
      return items.every(({ next_attempt_at }) => next_attempt_at === null);
    };
    for (let round = 0; round < 2 * ROUNDS; round++) {
      await expect.poll(isThrough).toBe(true);
      const delivery = hook.arrivals.find(({ dispatchId }) => dispatchId === id)?.webhookId ?? "";
      await operate(service.url, operator.resendDelivery, { params: { id: delivery } });
      await sleep(Math.random() * LONGEST_LIFE_MS);
      await listener.kill();
      listener = await startListener(access, target, "--every", "1s");
    }
    const marks = () => accepted(front, id).flatMap(({ headers }) => headers["curtail-resend"] ?? []);
    const { items } = await createParticipant({ url: service.url, key: participant.key }).listResends();
    const asked = items.filter(({ dispatch_id }) => dispatch_id === id).map((each) => each.id);
    expect(asked).toHaveLength(2 * ROUNDS);
    await expect.poll(() => new Set(marks()), PATIENCE).toEqual(new Set(asked));
    // A kill between the receiver's answer and the record of it.
    expect(marks().length).toBeLessThanOrEqual(4 * ROUNDS);
    expect(accepted(front, id).length - marks().length).toBe(1);
    expect(noticeIds(front, id).size).toBe(1);
  },
  60_000 + ROUNDS * 30_000,
);

test("--since begins with the dispatches of the last day, and --restart forwards them again under the same ids", async () => {
  const id = await dispatched();
  const { target, front, start } = await receiverAt();
  const listener = await startListener(access, target, "--since", "24h");
  await start(listener.secret);
  await expect.poll(() => accepted(front, id)).toHaveLength(1);
  await listener.kill();
  const again = await startListener(access, target, "--since", "24h", "--restart");
  expect(again.secret).toBe(listener.secret);
  await expect.poll(() => accepted(front, id)).toHaveLength(2);
  expect(new Set(accepted(front, id).map(({ headers }) => headers["webhook-id"])).size).toBe(1);
});

const streamless: ReadonlyArray<readonly [string, Interception["answer"]]> = [
  ["knows no stream", (response) => response.writeHead(404).end()],
  ["fails at the stream", (response) => response.writeHead(502).end()],
  ["holds the stream back", () => {}],
];

test.for(streamless)("behind a proxy that %s it polls", async ([, answer]) => {
  const proxy = await recordingFront(new URL(service.url).port, { path: "/dispatches/stream", answer });
  const { target, front, start } = await receiverAt();
  const { secret } = await startListener({ ...access, url: proxy.url }, target, "--every", "1s");
  await start(secret);
  const id = await dispatched();
  await expect.poll(() => accepted(front, id)).toHaveLength(1);
});
