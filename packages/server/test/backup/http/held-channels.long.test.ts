import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWebhook, operator } from "@curtail/contract";
import { type AddressedChannel, sendingChannels } from "@curtail/contract/lists/channels";
import { atEnd } from "@curtail/testing/at-end";
import { chatRooms } from "@curtail/testing/chat-rooms";
import { freePort } from "@curtail/testing/free-port";
import { gateway } from "@curtail/testing/gateway";
import { mailbox } from "@curtail/testing/mailbox";
import { startBroker, withoutMosquitto } from "@curtail/testing/mosquitto";
import { pushService } from "@curtail/testing/push-service";
import { receiver } from "@curtail/testing/receiver";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { holdDelivery } from "../../../src/backup/storage/delivery-hold.js";
import { SEEN_BY_ALL } from "../../../src/platform/database/journal-upkeep.js";
import { callbackReceiver } from "../../support/callback-receiver.js";
import { cloneDatabase } from "../../support/database.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { type Evidence, evidenceOf } from "../../support/evidence.js";
import { subscriberAt, topicsFor, venIdOf } from "../../support/mqtt-broker.js";
import { choose, register } from "../../support/noticing.js";
import { runningVtn, type Vtn } from "../../support/openadr-3.js";
import { newBrowser } from "../../support/people.js";
import type { Participant } from "../../support/running.js";
import { newPlayer, type Player } from "../../support/scenario.js";
import { venServer } from "../../support/ven-server.js";
import { listeningToVens } from "../../support/vens.js";

/** More than a worker needs to send what it may. */
const LOOKS_MS = 1500;
const PATIENCE = { timeout: 15_000 };

interface Channel {
  readonly participant: Participant;
  /** How often the dispatch was sent. */
  readonly sent: (dispatchId: string) => number | Promise<number>;
}

let service: Vtn;

const createdHooks = [{ name: "dispatch.create" as const }];

const webhook = async (): Promise<Channel> => {
  const [participant, hook] = [await service.newParticipant(), await receiver()];
  await participant.call(createWebhook, { body: { url: hook.url, events: createdHooks } });
  return { participant, sent: (id) => hook.received.filter(({ resource }) => resource.endsWith(id)).length };
};

const contactOf = (account: Participant, more: object) =>
  service.made(operator.createContact, {
    params: { id: account.accountId },
    body: { name: "Ana Lopez", email: "contact@mills.example", ...more },
  });

/** Refused once for now: a retry, too, is later than a day after the mail was made. */
const mail = (inbox: Awaited<ReturnType<typeof mailbox>>) => async (): Promise<Channel> => {
  const participant = await service.newParticipant();
  const email = "mails@mills.example";
  inbox.greylisted.set(email, 1);
  await contactOf(participant, { email });
  const to = () => inbox.received.filter((each) => each.to.includes(email));
  return { participant, sent: (id) => to().filter(({ content }) => content.includes(id)).length };
};

const phone = (phones: Awaited<ReturnType<typeof gateway>>, channel: "sms" | "voice") => async (): Promise<Channel> => {
  const participant = await service.newParticipant();
  const number = channel === "sms" ? "+1 555 010 0001" : "+1 555 010 0002";
  await contactOf(participant, { phone: number, [channel]: true });
  return {
    participant,
    sent: (id) => phones.about(id).filter(({ message }) => message.channel === channel).length,
  };
};

/** Of a channel whose messages go to addresses. */
const addressed = async (name: AddressedChannel): Promise<Channel> => {
  const [participant, rooms] = [await service.newParticipant(), await chatRooms()];
  const room = rooms.open();
  await service.made(operator.createChannelAddress, {
    params: { id: participant.accountId },
    body: { channel: name, name: "Control room", address: room.address },
  });
  return { participant, sent: (id) => room.posts.filter((post) => JSON.stringify(post).includes(id)).length };
};

const personal = (pushes: Awaited<ReturnType<typeof pushService>>) => async (): Promise<Channel> => {
  const participant = await service.newParticipant();
  const person = await newBrowser(service, "participant-viewer", participant.accountId);
  const browser = pushes.newBrowser();
  await register(person, browser);
  await choose(person, { dispatches: { mail: false, push: true } });
  return {
    participant,
    sent: (id) => browser.messages.filter(({ content }) => content["tag"] === `dispatch ${id}`).length,
  };
};

const pushedVen = async (): Promise<Channel> => {
  const participant = await service.newParticipant();
  const vens = await listeningToVens(service);
  const server = await venServer(await vens.serverCredentials(), vens.ca);
  await vens.newVen(participant, { transport: { push_url: server.url, ca_certificate: vens.ca } });
  return {
    participant,
    sent: (id) =>
      server.received.filter(({ events }) => events.some(({ descriptor }) => descriptor.eventId === id)).length,
  };
};

/** The event of a dispatch for the participant's VEN. */
const eventOf = async ({ accountId }: Participant, dispatchId: string): Promise<string | undefined> =>
  (await evidenceOf(service, dispatchId, { account_id: accountId })).find(
    ({ channel, what }) => channel === "openadr3" && what === "notified",
  )?.detail.event_id;

const callback = async (): Promise<Channel> => {
  const [participant, hook] = [await service.newParticipant(), await callbackReceiver()];
  const ven = await service.ven({ participant });
  const objectOperations = [{ objects: ["EVENT"], operations: ["CREATE"], callbackUrl: hook.url }];
  await ven.subscriptions.made({ clientName: "gateway", objectOperations });
  return {
    participant,
    async sent(id) {
      const event = await eventOf(participant, id);
      return hook.calls.filter(({ body }) => body.object.id === event).length;
    },
  };
};

const mqtt = async (): Promise<Channel> => {
  const participant = await service.newParticipant();
  const ven = await service.ven({ participant });
  if (withoutMosquitto !== null) return { participant, sent: () => 0 };
  const url = (await ven.notifiers()).body.MQTT.URIS[0];
  const hears = await subscriberAt(url, {});
  await hears.subscribe(...(await topicsFor(ven, "venEvents", await venIdOf(ven))));
  return {
    participant,
    async sent(id) {
      const event = await eventOf(participant, id);
      return hears.heard.filter(({ body }) => body.object.id === event && body.operation === "CREATE").length;
    },
  };
};

/** Settings of an MQTT broker that whoever likes may subscribe at; none without mosquitto. */
const anyBroker = async (): Promise<Readonly<Record<string, string>>> => {
  if (withoutMosquitto !== null) return {};
  const folder = await mkdtemp(join(tmpdir(), "curtail-broker-"));
  const broker = await startBroker(folder, await freePort());
  atEnd(async () => {
    await broker.stop();
    await rm(folder, { recursive: true, force: true });
  });
  return { CURTAIL_OPENADR3_MQTT_URL: broker.url, CURTAIL_OPENADR3_MQTT_ACCESS: "broker" };
};

const channelNames = [...sendingChannels, "mqtt"] as const;
type Name = (typeof channelNames)[number];
/** The channels, as the evidence calls them; `mqtt` has none of its own, and is left out without mosquitto. */
const names = channelNames.filter((name) => name !== "mqtt" || withoutMosquitto === null);

let channels: Readonly<Record<Name, Channel>>;
let due: string;
let over: string;
/** By its end it is over, and by the end that its participants were notified of it is not. */
let ended: string;
let players: { readonly due: Player; readonly over: Player };

/** What was sent of both dispatches, by channel. */
const counts = async (): Promise<Record<string, readonly number[]>> => {
  const sent = names.map(async (name) => {
    const { sent: of } = channels[name];
    return [name, [await of(due), await of(over)]] as const;
  });
  return {
    ...Object.fromEntries(await Promise.all(sent)),
    sandbox: [players.due, players.over].map(
      ({ hook }) => hook.received.filter(({ resource }) => resource !== "").length,
    ),
  };
};

/** A change as the service before the backup published it, about the dispatch that is over. */
const publishedBefore = (days: number) =>
  service.database.pool.query(
    `insert into openadr3_changes (seq, environment, operation, object_type, object_id, object, targets, client_id, program_id, ven_id,
       source, source_id, at, xid)
     overriding system value
     select -seq, environment, operation, object_type, object_id, object, targets, client_id, program_id, ven_id, source, source_id,
       at - $2 * interval '1 day', '4'
     from openadr3_changes where source = 'dispatch' and source_id = $1`,
    [over, days],
  );

/** Changes about dispatches that are over, by whether they were published before the backup. */
const changesOfOver = async () => {
  const { rows } = await service.database.pool.query(
    `select seq < 0 as is_before, count(*)::int as made, count(*) filter (where xid = ${SEEN_BY_ALL})::int as dropped
     from openadr3_changes where source = 'dispatch' and (source_id = $1
       or source_id in (select id from sandbox.dispatches where end_time < $2)) group by 1 order by 1 desc`,
    [over, service.clock.now()],
  );
  return rows;
};

const ofChannel = async (dispatchId: string, name: Name): Promise<Evidence[]> => {
  const { accountId: account_id } = channels[name].participant;
  const channel = name === "mqtt" ? "openadr3" : name;
  return (await evidenceOf(service, dispatchId, { account_id })).filter((each) => each.channel === channel);
};

/** As in a backup that is older than the retries of mails. */
const mailWaiting = (dispatchId: string) =>
  service.database.pool.query(
    `insert into messages (id, channel, recipient, account_id, detail, notice_seq, subject, event, next_attempt_at, created_at)
     select 'mail_' || seq, 'email', $2, $2, '{}', seq, dispatch_id, event, $3::timestamptz, $3::timestamptz - interval '2 days'
     from notices where dispatch_id = $1`,
    [dispatchId, channels.mail.participant.accountId, service.clock.now()],
  );

let held: Awaited<ReturnType<typeof counts>>;
let seen: operator.DeliveryHold;

const pause = () => new Promise((resolve) => setTimeout(resolve, LOOKS_MS));

beforeAll(async () => {
  const database = await cloneDatabase();
  await holdDelivery(database.pool, {
    heldAt: new Date(Date.now() - 1000),
    backupAt: new Date(Date.now() - 3_600_000),
  });
  const [inbox, phones, pushes] = await Promise.all([mailbox(), gateway(), pushService()]);
  service = await runningVtn(
    {
      CURTAIL_SMTP_URL: inbox.url,
      CURTAIL_SMS_URL: phones.url,
      CURTAIL_VOICE_URL: phones.url,
      ...(await anyBroker()),
    },
    { database },
  );
  channels = {
    webhook: await webhook(),
    mail: await mail(inbox)(),
    sms: await phone(phones, "sms")(),
    voice: await phone(phones, "voice")(),
    chat: await addressed("chat"),
    personal: await personal(pushes)(),
    openadr: await pushedVen(),
    openadr3: await callback(),
    mqtt: await mqtt(),
  };
  players = { due: await newPlayer(service), over: await newPlayer(service) };
  const program = await newProgram(
    service,
    names.map((name) => channels[name].participant),
  );
  due = (await newDispatch(service, program)).id;
  const soon = { start_time: ahead(service, { minutes: 1 }), end_time: ahead(service, { minutes: 5 }) };
  over = (await newDispatch(service, program, soon)).id;
  await mailWaiting(due);
  await mailWaiting(over);
  const late = { start_time: ahead(service, { minutes: 1 }), end_time: ahead(service, { hours: 6 }) };
  ended = (await newDispatch(service, program, late)).id;
  await mailWaiting(ended);
  const body = { end_time: ahead(service, { minutes: 5 }) };
  await service.made(operator.changeDispatch, { params: { id: ended }, body });
  await players.due.play("basic", { notification_time: ahead(service, { minutes: 1 }) });
  await players.over.play("basic", { notification_time: ahead(service, { minutes: 1 }), ...soon });
  // Objects are made while delivery is held.
  await vi.waitFor(async () => {
    for (const id of [due, over, ended])
      for (const name of ["openadr3", "mqtt"] as const)
        expect(await eventOf(channels[name].participant, id)).toBeDefined();
  }, PATIENCE);
  await publishedBefore(2);
  service.clock.advance({ minutes: 10 });
  await pause();
  held = await counts();
  seen = await service.made(operator.getDeliveryHold);
  await service.made(operator.releaseDelivery);
  // The mail server refused the first one for now.
  await vi.waitFor(async () => {
    const { rows } = await service.database.pool.query(
      "select count(*)::int as refused from messages where channel = 'email' and failures > 0",
    );
    expect(rows).toEqual([{ refused: 1 }]);
  }, PATIENCE);
  service.clock.advance({ seconds: 11 });
}, 120_000);

const all = [...names, "sandbox"] as const;

describe("while delivery is held", () => {
  test.each(all)("nothing is sent by %s, whether still due or over", (name) => {
    expect(held[name]).toEqual([0, 0]);
  });

  test("what waits is counted, and what of it is about a dispatch that is over", () => {
    expect(seen.held).toBe(true);
    expect(seen.outdated).toBeGreaterThanOrEqual(5);
    expect(seen.waiting).toBeGreaterThanOrEqual(2 * seen.outdated);
  });
});

describe("when delivery is released", () => {
  test.each(all)("what is still due is sent by %s, once", async (name) => {
    await expect.poll(async () => (await counts())[name]?.[0], PATIENCE).toBe(1);
  });

  test.each(all)("what is about a dispatch that is over is not sent by %s", async (name) => {
    await expect.poll(async () => (await counts())[name]?.[0], PATIENCE).toBe(1);
    expect((await counts())[name]?.[1]).toBe(0);
  });

  // A VEN that was not shown the event is pushed a message without it.
  test.each(names.filter((name) => name !== "openadr"))(
    "a dispatch that ended earlier than its participants know is sent by %s",
    async (name) => {
      await expect.poll(() => channels[name].sent(ended), PATIENCE).toBeGreaterThanOrEqual(1);
    },
  );

  test.each(names.filter((name) => name !== "mqtt"))("by %s it is not outdated", async (name) => {
    const items = () => ofChannel(ended, name);
    if (name === "openadr")
      await expect.poll(async () => (await items()).map(({ what }) => what), PATIENCE).toContain("delivered");
    expect((await items()).filter(({ detail }) => detail.reason === "outdated")).toEqual([]);
  });

  // What an MQTT broker was told is no evidence.
  test.each(names.filter((name) => name !== "mqtt"))(
    "evidence says that it was dropped by %s, and why",
    async (name) => {
      const failed = (await ofChannel(over, name)).filter(({ what }) => what === "failed");
      const reasons = failed.map(({ detail }) => detail.reason);
      // A VEN that never polls is late, whatever it is pushed.
      expect(reasons.filter((reason) => reason !== "not_polled")).toEqual(["outdated"]);
      expect((await ofChannel(due, name)).filter(({ detail }) => detail.reason === "outdated")).toEqual([]);
    },
  );

  test("the audit log names the dispatch, and counts what was dropped by channel", async () => {
    const { items } = await service.made(operator.listAudit, { query: { action: "delivery_hold.release" } });
    expect(items).toHaveLength(1);
    const { before } = items[0] as unknown as { before: { outdated_dispatches: string[]; dropped: object[] } };
    expect(before.outdated_dispatches).toContain(over);
    expect(before.outdated_dispatches).not.toContain(due);
    expect(before.outdated_dispatches).not.toContain(ended);
    const [, since] = await changesOfOver();
    for (const channel of all)
      expect(before.dropped, channel).toContainEqual({ channel, count: channel === "mqtt" ? since.made : 1 });
  });

  test("what the broker was sent before the backup stays as it is", async () => {
    const [before, since] = await changesOfOver();
    expect(before).toMatchObject({ is_before: true, dropped: 0 });
    expect(before.made).toBeGreaterThan(0);
    expect(since).toMatchObject({ is_before: false, dropped: since.made });
  });

  test("a second process and a second release send nothing again", async () => {
    for (const name of all) await expect.poll(async () => (await counts())[name]?.[0], PATIENCE).toBe(1);
    await service.another();
    expect(await service.made(operator.releaseDelivery)).toMatchObject({ held: false });
    await pause();
    expect(await counts()).toEqual(Object.fromEntries(all.map((name) => [name, [1, 0]])));
  });
});
