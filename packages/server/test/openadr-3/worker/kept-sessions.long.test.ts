import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operator } from "@curtail/contract";
import { atEnd } from "@curtail/testing/at-end";
import { withoutMosquitto } from "@curtail/testing/mosquitto";
import { connectAsync, type IClientOptions } from "mqtt";
import { describe, expect, test, vi } from "vitest";
import { OUTSIDE_BROKER } from "../../../src/openadr-3/operations/broker-conditions.js";
import { caughtUp } from "../../support/caught-up.js";
import {
  connectedTo,
  credentialsOf,
  mosquittoWithUsers,
  SERVICE,
  type Subscriber,
  subscriberAt,
  type TestBroker,
  topicsFor,
  venIdOf,
} from "../../support/mqtt-broker.js";
import { type Client31, runningVtn, type Secret31, type Vtn } from "../../support/openadr-3.js";
import { selfSigned } from "../../support/self-signed.js";

/** A connection whose session the broker keeps, if it does at all. */
const KEPT = { clean: false, clientId: "gateway", reconnectPeriod: 0 } as const;

interface Scene {
  readonly vtn: Vtn;
  readonly bl: Client31;
  readonly url: string;
  /** A VEN that subscribed with a session that is kept, and is away. */
  readonly victim: Client31 & Secret31;
  readonly participant: Awaited<ReturnType<Vtn["newParticipant"]>>;
  /** A VEN of another account. */
  readonly attacker: Client31 & Secret31;
  readonly options: IClientOptions;
}

const away = async ({ client }: Subscriber): Promise<void> => {
  const closed = new Promise<void>((resolve) => client.once("close", () => resolve()));
  client.end();
  await closed;
};

/** `options` are those of all its connections. */
const scene = async (
  settings: Readonly<Record<string, string>>,
  urlOf: (ven: Client31) => Promise<string>,
  options: IClientOptions = {},
): Promise<Scene> => {
  const vtn = await runningVtn(settings);
  const participant = await vtn.newParticipant();
  const [bl, victim, attacker] = await Promise.all([vtn.bl(), vtn.ven({ participant }), vtn.ven()]);
  const url = await urlOf(victim);
  const hears = await connectedTo(url, victim, { ...KEPT, ...options });
  await hears.subscribe(...(await topicsFor(victim, "programs")));
  await away(hears);
  // The broker knows it from then on.
  await away(await connectedTo(url, attacker, { ...options, clientId: "first look", reconnectPeriod: 0 }));
  return { vtn, bl, url, victim, participant, attacker, options };
};

let count = 0;
const programFor = ({ bl, participant }: Scene) =>
  bl.programs.made({ programName: `Secret ${++count}`, targets: [participant.accountId] });
const programForAll = ({ bl }: Scene) => bl.programs.made({ programName: `Public ${++count}` });

/** What the attacker hears with a client identifier, once it has heard of something for everybody. */
const attacked = async (where: Scene, clientId: string): Promise<readonly string[]> => {
  const hears = await connectedTo(where.url, where.attacker, { ...KEPT, clientId, ...where.options });
  await hears.subscribe(...(await topicsFor(where.attacker, "programs")));
  await programFor(where);
  const { id } = await programForAll(where);
  // Its own and, if it took over a session, the victim's.
  await expect
    .poll(() => hears.heard.some(({ topic, body }) => topic.includes(where.attacker.id) && body.object.id === id))
    .toBe(true);
  await away(hears);
  return hears.heard.filter(({ topic }) => topic.includes(where.victim.id)).map(({ body }) => body.object.programName);
};

/** Waits until the broker has every change. */
const published = ({ vtn: { database } }: Scene) => caughtUp(database.pool, OUTSIDE_BROKER);

const returned = async ({ url, victim, options }: Scene, more: IClientOptions = {}) =>
  connectedTo(url, victim, { ...KEPT, ...options, ...more });

/** Less than a shared client counts for: on a busy machine many looks come before the alarm. */
const MOST_STEPS = 20;

/** Looks at the alarms of a kind, each time ten seconds later, so many times at most. */
const alarmsOf = ({ clock, made }: Vtn, wanted: string, mostSteps = Number.POSITIVE_INFINITY) => {
  let steps = 0;
  return async () => {
    steps += 1;
    if (steps <= mostSteps) clock.advance({ seconds: 10 });
    return (await made(operator.listAlarms)).items.filter(({ kind }) => kind === wanted);
  };
};

const unsafe = (vtn: Vtn) => {
  const look = alarmsOf(vtn, "broker_unsafe");
  return async () => (await look()).map(({ subject }) => subject).sort();
};

const withMosquitto = async (broker: TestBroker, options: IClientOptions = {}) =>
  scene(broker.settings, async () => broker.url, options);

describe.skipIf(withoutMosquitto !== null)("sessions that mosquitto keeps (skipped without mosquitto)", () => {
  test("are those of a user, with the configuration of the page", async () => {
    const folder = await mkdtemp(join(tmpdir(), "curtail-kept-"));
    atEnd(() => rm(folder, { recursive: true }));
    const { key, cert } = await selfSigned("localhost");
    const [keyFile, certFile] = [join(folder, "broker.key"), join(folder, "broker.pem")];
    await Promise.all([writeFile(keyFile, key), writeFile(certFile, cert)]);
    const broker = await mosquittoWithUsers({ tls: { ca: certFile, certificate: certFile, key: keyFile } });
    const where = await withMosquitto(broker, { ca: cert });
    const secret = await programFor(where);
    for (const clientId of [KEPT.clientId, where.victim.id]) expect(await attacked(where, clientId)).toEqual([]);
    // The victim has missed nothing, whatever it calls its connection.
    const hears = await returned(where, { clientId: "after an update" });
    expect((await hears.about(secret.id)).length).toBe(1);
    expect(await unsafe(where.vtn)()).toEqual([]);
  });

  test("were everybody's with the configuration and the roles of before (the control)", async () => {
    const broker = await mosquittoWithUsers({ asBefore: true });
    const where = await withMosquitto(broker);
    await asRolesWere(broker, [where.victim, where.attacker]);
    const { programName } = await programFor(where);
    await attackedUntil(where, programName);
  });

  test("leak nothing at a broker that is still set up as before, and the service says what to mend", async () => {
    const broker = await mosquittoWithUsers({ asBefore: true });
    const where = await withMosquitto(broker);
    await programFor(where);
    expect(await attacked(where, KEPT.clientId)).toEqual([]);
    await expect.poll(unsafe(where.vtn)).toEqual(["client_identifiers", "default_access"]);
    const acls = [{ acltype: "publishClientReceive", allow: false }];
    await command(broker, [{ command: "setDefaultACLAccess", acls }]);
    where.vtn.clock.advance({ minutes: 1 });
    await expect.poll(unsafe(where.vtn)).toEqual(["client_identifiers"]);
  });

  test("outlive neither the rights nor the credentials that they began with", async () => {
    const where = await withMosquitto(await mosquittoWithUsers());
    const { vtn, victim, participant } = where;
    const before = await programFor(where);
    await published(where);
    await vtn.made(operator.rotateOpenadrSecret, { params: { id: victim.id }, body: { previous_valid_hours: 0 } });
    const { client_secret } = await vtn.made(operator.rotateOpenadrSecret, { params: { id: victim.id }, body: {} });
    const fresh = { ...where, victim: await vtn.connected({ id: victim.id, secret: client_secret ?? "" }) };
    const hears = await returned(fresh);
    expect((await hears.about(before.id)).length).toBe(1);
    await away(hears);
    await vtn.made(operator.changeAccount, { params: { id: participant.accountId }, body: { disabled: true } });
    const hidden = await programFor(where);
    await published(where);
    await vtn.made(operator.changeAccount, { params: { id: participant.accountId }, body: { disabled: false } });
    const shown = await programFor(where);
    const again = await vi.waitFor(() => returned(fresh), { timeout: 15_000 });
    expect((await again.about(shown.id)).length).toBe(1);
    expect(again.heard.map(({ body }) => body.object.id)).not.toContain(hidden.id);
    await away(again);
    const credentials = await credentialsOf(fresh.victim);
    const venId = await venIdOf(fresh.victim);
    const programs = await topicsFor(fresh.victim, "programs");
    await vtn.made(operator.changeOpenadrClient, { params: { id: victim.id }, body: { scopes: ["read_ven_objects"] } });
    const beyond = await programFor(where);
    await published(where);
    // The broker ends its connections once it has its new rights: one from before would end, and hear nothing.
    const connected = async () => {
      const found = await subscriberAt(where.url, credentials, KEPT);
      expect(new Set(await found.subscribe(...programs))).toEqual(new Set([128]));
      await found.subscribe(`clients/${victim.id}/vens/#`);
      return found;
    };
    const last = await vi.waitFor(connected, { timeout: 15_000 });
    const renamed = { objectType: "BL_VEN_REQUEST", clientID: victim.id, venName: "Renamed" };
    expect(await where.bl.vens.update(venId, renamed)).toMatchObject({ status: 200 });
    await last.about(venId);
    expect(last.heard.map(({ body }) => body.object.id)).not.toContain(beyond.id);
  });

  test("have what followed at once on the enabling of the account, each time", async () => {
    const where = await withMosquitto(await mosquittoWithUsers());
    const { vtn, participant } = where;
    const disable = (disabled: boolean) =>
      vtn.made(operator.changeAccount, { params: { id: participant.accountId }, body: { disabled } });
    const shown: string[] = [];
    for (let times = 0; times < 8; times++) {
      await disable(true);
      // The broker has heard of it.
      await programForAll(where);
      await published(where);
      await disable(false);
      shown.push((await programFor(where)).id);
      await published(where);
    }
    const hears = await vi.waitFor(() => returned(where), { timeout: 15_000 });
    for (const id of shown) await hears.about(id);
    expect(hears.heard.filter(({ body }) => shown.includes(body.object.id))).toHaveLength(shown.length);
  });

  test("of a client that two programs use end each other, and an alarm names it", async () => {
    const where = await withMosquitto(await mosquittoWithUsers());
    await loop(where);
    await expect.poll(shared(where.vtn)).toEqual([[where.victim.id, where.participant.accountId]]);
    where.vtn.clock.advance({ minutes: 11 });
    await expect.poll(shared(where.vtn)).toEqual([]);
  });
});

/** Two programs with the credentials of one client that connect again whenever they lose their connection. */
const loop = async (where: Scene): Promise<void> => {
  const one = await returned(where);
  for (let times = 0; times < 2; times++) {
    const other = await returned(where);
    await returned(where);
    await expect.poll(() => other.client.connected).toBe(false);
  }
  await expect.poll(() => one.client.connected).toBe(false);
};

const shared = (vtn: Vtn) => {
  const look = alarmsOf(vtn, "broker_client_shared", MOST_STEPS);
  return async () => (await look()).map(({ subject, account_id }) => [subject, account_id]);
};

const aclsBefore = (id: string) => [
  { acltype: "subscribePattern", topic: `clients/${id}/#`, priority: 0, allow: true },
];

/** The roles of clients as the service gave them before: without rules for what they receive. */
const asRolesWere = async (broker: TestBroker, vens: readonly Secret31[]): Promise<void> => {
  const commands = vens.map(({ id }) => ({ command: "modifyRole", rolename: `curtail-${id}`, acls: aclsBefore(id) }));
  await command(broker, commands);
};

/** Carries out commands of the plug-in. */
const command = async ({ url }: TestBroker, commands: readonly object[]): Promise<void> => {
  const service = await connectAsync(url, { ...SERVICE, reconnectPeriod: 0 });
  await service.subscribeAsync("$CONTROL/dynamic-security/v1/response");
  const answered = new Promise<void>((resolve) => service.once("message", () => resolve()));
  await service.publishAsync("$CONTROL/dynamic-security/v1", JSON.stringify({ commands }), { qos: 1 });
  await answered;
  await service.endAsync();
};

/** Waits until the attacker has heard of what was for the victim. */
const attackedUntil = async (where: Scene, programName: string): Promise<void> => {
  const hears = await connectedTo(where.url, where.attacker, KEPT);
  await expect.poll(() => hears.heard.map(({ body }) => body.object.programName)).toContain(programName);
};
