import { type BodyOf, createWebhook, operator } from "@curtail/contract";
import { chatRooms } from "@curtail/testing/chat-rooms";
import { gateway } from "@curtail/testing/gateway";
import { type Mailbox, mailbox } from "@curtail/testing/mailbox";
import { receiver } from "@curtail/testing/receiver";
import { wireProgram } from "@curtail/testing/wire-forms";
import { callbackReceiver } from "../callback-receiver.js";
import type { TestDatabase } from "../database.js";
import { choose } from "../noticing.js";
import { type Client31, MQTT, runningVtn, type Vtn } from "../openadr-3.js";
import { type Browser, newBrowser } from "../people.js";
import type { Participant } from "../running.js";
import type { VenClient } from "../ven-client.js";
import { listeningToVens } from "../vens.js";
import { LARGE_ACCOUNT, PAST_ROOM, SEEDED_UNTIL } from "./seed.js";

/** Accounts that poll at once, more than are looked up one by one. */
const CROWD = 12;

/** Those who look: two accounts, of which one has the past, with a VEN of each kind, and their people. */
export interface Cast {
  readonly service: Vtn;
  readonly participants: readonly [large: Participant, fresh: Participant];
  /** Has nothing but contacts: mails are its only notices. */
  readonly quiet: Participant;
  readonly crowd: readonly Participant[];
  readonly vens: readonly VenClient[];
  readonly clients: readonly Client31[];
  readonly inbox: Mailbox;
  readonly operators: Browser;
  readonly people: readonly Browser[];
  readonly programId: string;
  /** Of the operator's own in OpenADR 3, by the first part of their addresses. */
  readonly ownObjects: Readonly<Record<"openadr3-programs" | "openadr3-events", string>>;
}

const GATEWAY_TOKEN = "token-of-the-gateway";

export const castOver = async (database: TestDatabase): Promise<Cast> => {
  const [inbox, phones] = await Promise.all([mailbox(), gateway()]);
  const settings = {
    CURTAIL_WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32",
    CURTAIL_RATE_LIMIT: "1000000",
    CURTAIL_SMTP_URL: inbox.url,
    CURTAIL_SMS_URL: phones.url,
    CURTAIL_GATEWAY_TOKEN: GATEWAY_TOKEN,
  };
  const service = await runningVtn(settings, { database, mqttOf: () => MQTT, startsAt: SEEDED_UNTIL });
  const large = await service.participantOf(LARGE_ACCOUNT);
  const fresh = await service.newParticipant({ name: "Fresh" });
  const quiet = await service.newParticipant({ name: "Quiet" });
  const participants = [large, fresh] as const;
  for (const { sites } of participants)
    await service.made(operator.changeSite, { params: { id: sites[0]?.id ?? "" }, body: { display_enabled: true } });
  return {
    service,
    participants,
    quiet,
    inbox,
    crowd: await crowdOf(service),
    ...(await channels(service, { participants, quiet, inbox })),
    programId: await programOf(service, [large, fresh, quiet]),
    ownObjects: await ownObjects(service),
    operators: await newBrowser(service, "operator-admin"),
    people: [await personOf(service, large), await personOf(service, fresh)],
  };
};

const ownObjects = async (service: Vtn): Promise<Cast["ownObjects"]> => {
  const program = await service.made(operator.createOpenadrProgram, { body: { name: "Prices", public: true } });
  const event = await service.made(operator.createOpenadrEvent, {
    body: {
      program_id: program.id,
      payload_type: "PRICE",
      units: "KWH",
      currency: "USD",
      interval_seconds: 3600,
      values: [0.2, 0.3],
    },
  });
  return { "openadr3-programs": program.id, "openadr3-events": event.id };
};

const crowdOf = async (service: Vtn): Promise<readonly Participant[]> => {
  const crowd: Participant[] = [];
  for (let n = 2; crowd.length < CROWD; n++) crowd.push(await service.participantOf(`acc_${n}`));
  return crowd;
};

const personOf = async (service: Vtn, { accountId }: Participant): Promise<Browser> => {
  const person = await newBrowser(service, "participant-admin", accountId);
  const mail = { mail: true, push: false };
  await choose(person, { dispatches: mail, changes: mail, alarms: mail });
  return person;
};

type Given = Pick<Cast, "participants" | "quiet" | "inbox">;

/** Webhooks, a VEN, one that is pushed to, and a client of each kind, contacts with telephones and contacts that a mail server refuses. */
const channels = async (
  service: Vtn,
  { participants, quiet, inbox }: Given,
): Promise<Pick<Cast, "vens" | "clients">> => {
  const [hook, callback, rooms] = [await receiver(), await callbackReceiver(), await chatRooms()];
  const events = [{ name: "dispatch.create" }, { name: "dispatch.update" }] as const;
  const listening = await listeningToVens(service);
  const vens: VenClient[] = [];
  const clients: Client31[] = [];
  for (const participant of participants) {
    await participant.call(createWebhook, { body: { url: hook.url, events: [...events] } });
    await contact(service, participant, { phone: "+1 555 010 0001", sms: true });
    await room(service, participant, rooms.open().address);
    vens.push(await listening.newVen(participant));
    await listening.newVen(participant, {
      transport: { push_url: "https://127.0.0.1:9/ven", ca_certificate: listening.ca },
    });
    const client = await service.ven({ participant });
    await client.subscriptions.made(eventsTo(callback.url));
    clients.push(client);
  }
  inbox.refused.add("gone@example.com");
  await contact(service, quiet, {});
  await contact(service, quiet, { email: "gone@example.com" });
  return { vens, clients };
};

const contact = (
  service: Vtn,
  { accountId }: Participant,
  body: Partial<BodyOf<typeof operator.createContact>>,
): Promise<unknown> =>
  service.made(operator.createContact, {
    params: { id: accountId },
    body: { name: "Ana Lopez", email: "ana@example.com", ...body },
  });

/** With the past of the large account. */
const room = async (service: Vtn, { accountId }: Participant, address: string): Promise<void> => {
  const { id } = await service.made(operator.createChannelAddress, {
    params: { id: accountId },
    body: { channel: "chat", name: "Control room", address },
  });
  await service.database.pool.query(
    "update messages set recipient = $1 where channel = 'chat' and recipient = $2 and account_id = $3",
    [id, PAST_ROOM, accountId],
  );
};

const eventsTo = (callbackUrl: string) => ({
  clientName: "gateway",
  objectOperations: [{ objects: ["EVENT", "REPORT"], operations: ["CREATE", "UPDATE", "DELETE"], callbackUrl }],
});

const programOf = async (service: Vtn, participants: readonly Participant[]): Promise<string> => {
  const { id } = await service.made(operator.createProgram, {
    body: wireProgram({ name: "First sites", timezone: "America/Chicago", market: "ERCOT" }),
  });
  for (const { sites } of participants)
    await service.made(operator.enrolSite, {
      params: { id, site_id: sites[0]?.id ?? "" },
      body: { commitment: 50 },
    });
  return id;
};
