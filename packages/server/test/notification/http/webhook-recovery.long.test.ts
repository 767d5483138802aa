import type { ServerResponse } from "node:http";
import { type Mailbox, mailbox } from "@curtail/testing/mailbox";
import { type Receiver, receiver } from "@curtail/testing/receiver";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { recorded } from "../../support/recorded.js";
import { type Running, running } from "../../support/running.js";
import { failForGood, mailRows, poll, subscribe, unreachable } from "../../support/unreachable.js";

let inbox: Mailbox;
let service: Running;

beforeAll(async () => {
  inbox = await mailbox();
  service = await running({ CURTAIL_SMTP_URL: inbox.url });
  // A second process on the same database, which would send what the first one seems to have abandoned.
  await service.another();
});

/** Longer than every process's polling interval, and than any lease. */
const awayFor = async (act: () => void): Promise<void> => {
  await service.database.cutOff();
  act();
  const startedMs = performance.now();
  await expect.poll(() => performance.now() - startedMs).toBeGreaterThan(2500);
  service.clock.advance({ minutes: 2 });
  await service.database.letIn();
};

const subscribed = async () => {
  const participant = await service.newParticipant();
  const hook = await receiver();
  await subscribe(participant, hook);
  return { hook, programId: await newProgram(service, [participant]) };
};

const held = (hook: Receiver): ServerResponse[] => {
  const responses: ServerResponse[] = [];
  hook.answer = (response) => void responses.push(response);
  return responses;
};

const deliveryRows = async (dispatchId: string) => {
  const sql = `select state, array(select status from message_attempts where message_id = id order by number) as statuses
    from messages where subject = $1 and channel = 'webhook'`;
  return (await service.database.pool.query(sql, [dispatchId])).rows;
};

const leaseSeconds = async (sql: string, dispatchId: string): Promise<number> => {
  const { rows } = await service.database.pool.query<{ leased_until: Date }>(sql, [dispatchId]);
  return ((rows[0]?.leased_until.getTime() ?? Number.NaN) - service.clock.now().getTime()) / 1000;
};

describe("what was under way when the database went away, and ended before it was back", () => {
  test("is recorded once the database is back, and not sent again: a notice", async () => {
    const { hook, programId } = await subscribed();
    const responses = held(hook);
    const { id } = await newDispatch(service, programId);
    await hook.notices(1);
    await awayFor(() => responses[0]?.writeHead(200).end());
    await recorded(service, id, 1);
    expect(await deliveryRows(id)).toEqual([{ state: "delivered", statuses: [200] }]);
    expect(await hook.notices(1)).toHaveLength(1);
  });

  test("counts as an attempt: a notice that failed, whose retry follows", async () => {
    const { hook, programId } = await subscribed();
    const responses = held(hook);
    const { id } = await newDispatch(service, programId);
    await hook.notices(1);
    hook.answer = 200;
    await awayFor(() => responses[0]?.writeHead(500).end());
    await recorded(service, id, 2);
    expect(await deliveryRows(id)).toEqual([{ state: "delivered", statuses: [500, 200] }]);
    expect(await hook.notices(2)).toHaveLength(2);
  });

  test("is recorded once the database is back, and not sent again: a mail that was handed over", async () => {
    const { programId } = await unreachable(service, ["anna@mills.example"], 1);
    inbox.hold();
    const { id } = await newDispatch(service, programId);
    await failForGood(service, id, 1);
    await expect.poll(() => inbox.received.length).toBe(1);
    await awayFor(() => inbox.release());
    await poll(() => mailRows(service, id), [{ event: "dispatch.create", state: "sent", failures: 0 }]);
    expect(inbox.received).toHaveLength(1);
  });
});

describe("what a process has in its hands when it is killed", () => {
  test("is anybody's after 14 seconds at most: a notice", async () => {
    const { hook, programId } = await subscribed();
    const responses = held(hook);
    const { id } = await newDispatch(service, programId, { start_time: ahead(service, { hours: 1 }) });
    await hook.notices(1);
    const seconds = await leaseSeconds(
      "select leased_until from messages where subject = $1 and channel = 'webhook'",
      id,
    );
    expect(seconds).toBeGreaterThan(10);
    expect(seconds).toBeLessThanOrEqual(14);
    responses[0]?.writeHead(200).end();
    await recorded(service, id, 1);
  });

  test("is anybody's after 14 seconds at most: a mail, whose lease is renewed while it is being handed over", async () => {
    const { programId } = await unreachable(service, ["anna@mills.example"], 1);
    inbox.hold();
    const { id } = await newDispatch(service, programId);
    const before = inbox.received.length;
    await failForGood(service, id, 1);
    await expect.poll(() => inbox.received.length).toBe(before + 1);
    const lease = () => leaseSeconds("select leased_until from messages where subject = $1 and channel = 'email'", id);
    expect(await lease()).toBeLessThanOrEqual(14);
    service.clock.advance({ seconds: 10 });
    await expect.poll(lease).toBeGreaterThan(10);
    inbox.release();
    await poll(() => mailRows(service, id), [{ event: "dispatch.create", state: "sent", failures: 0 }]);
    expect(inbox.received).toHaveLength(before + 1);
  });
});
