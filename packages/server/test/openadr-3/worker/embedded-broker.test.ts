import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { connect as connectSocket } from "node:net";
import { join } from "node:path";
import { operator } from "@curtail/contract";
import { freePort } from "@curtail/testing/free-port";
import { connectAsync } from "mqtt";
import { beforeAll, describe, expect, test } from "vitest";
import {
  MAX_CONNECTIONS_OF_CLIENT,
  MAX_PACKET_BYTES,
  MAX_SUBSCRIPTIONS_OF_CONNECTION,
} from "../../../src/openadr-3/worker/embedded-broker.js";
import { credentialsOf, type Subscriber, subscriberAt, topicsFor } from "../../support/mqtt-broker.js";
import { type Client31, runningVtn, type Secret31, type Vtn } from "../../support/openadr-3.js";
import { selfSigned } from "../../support/self-signed.js";

const OWN = { CURTAIL_OPENADR3_MQTT_PORT: "0" };

let vtn: Vtn;
let bl: Client31 & Secret31;
let ven: Client31 & Secret31;
let url: string;
let blHears: Subscriber;

const urlOf = async (client: Client31): Promise<string> => (await client.notifiers()).body.MQTT.URIS[0];
const connected = async (client: Client31, options = {}) =>
  subscriberAt(await urlOf(client), await credentialsOf(client), options);

const untilClosed = ({ client }: Subscriber): Promise<void> => new Promise((resolve) => client.once("close", resolve));

let count = 0;
const program = (more: object = {}) => bl.programs.made({ programName: `Program ${++count}`, ...more });

beforeAll(async () => {
  vtn = await runningVtn(OWN);
  [bl, ven] = await Promise.all([vtn.bl(), vtn.ven()]);
  url = await urlOf(bl);
  blHears = await connected(bl);
  await blHears.subscribe(...(await topicsFor(bl, "programs")));
});

describe("the embedded broker", () => {
  test("is told with the client's id and a token as its credentials", async () => {
    expect((await ven.notifiers()).body.MQTT).toEqual({
      URIS: [expect.stringMatching(/^mqtt:\/\/127\.0\.0\.1:\d+$/)],
      serialization: "JSON",
      authentication: { method: "OAUTH2_BEARER_TOKEN", username: ven.id },
    });
  });

  test("tells the life of a program in order, to business logic and to VENs", async () => {
    const hears = await connected(ven);
    await hears.subscribe(...(await topicsFor(ven, "programs")));
    const { id } = await program();
    for (let step = 1; step <= 20; step++) await bl.programs.update(id, { programName: `${id} ${step}` });
    await bl.programs.remove(id);
    for (const each of [hears, blHears]) {
      await each.about(id, 22);
      expect(each.heard.filter(({ body }) => body.object.id === id).map(({ body }) => body.operation)).toEqual([
        "CREATE",
        ...Array.from({ length: 20 }, () => "UPDATE"),
        "DELETE",
      ]);
    }
    expect((await hears.about(id)).every(({ topic }) => topic.startsWith(`clients/${ven.id}/programs/`))).toBe(true);
  });

  test("takes the secret of a client in place of a token, and nothing else", async () => {
    const { client } = await subscriberAt(url, { username: ven.id, password: ven.secret });
    expect(client.connected).toBe(true);
    for (const credentials of [
      {},
      { username: ven.id },
      { username: ven.id, password: "wrong" },
      { username: bl.id, password: ven.token ?? "" },
      { username: "", password: ven.token ?? "" },
      { username: "oac_none", password: ven.secret },
    ])
      await expect(connectAsync(url, credentials, false)).rejects.toThrow(/bad username/i);
  });

  test("refuses a VEN the topics of others, and keeps its connection", async () => {
    const hears = await connected(ven);
    for (const filter of ["#", "+/#", "programs/create", "clients/+/programs/create", "$SYS/#"])
      expect(await hears.subscribe(filter)).toEqual([128]);
    expect(await hears.subscribe(`clients/${ven.id}/programs/#`)).toEqual([1]);
    const hidden = await program({ targets: ["elsewhere"] });
    const { id } = await program();
    await hears.about(id);
    expect(hears.heard.map(({ body }) => body.object.id)).not.toContain(hidden.id);
  });

  test("disconnects whoever publishes, and passes nothing on", async () => {
    const hears = await connected(ven, { reconnectPeriod: 0 });
    const closed = untilClosed(hears);
    hears.client.publish("programs/create", JSON.stringify({ object: { id: "forged" } }), { qos: 1 }, () => {});
    await closed;
    const { id } = await program();
    await blHears.about(id);
    expect(blHears.heard.map(({ body }) => body.object.id)).not.toContain("forged");
  });

  test("passes on no will of a client that disappears", async () => {
    const will = { topic: "programs/create", payload: Buffer.from('{"object":{"id":"will"}}'), qos: 1 as const };
    const hears = await connected(bl, { reconnectPeriod: 0, will: { ...will, retain: false } });
    hears.client.stream.destroy();
    const { id } = await program();
    await blHears.about(id);
    expect(blHears.heard.map(({ body }) => body.object.id)).not.toContain("will");
  });

  test("keeps two clients apart that call their connections the same", async () => {
    const other = await vtn.ven();
    const options = { clientId: "gateway", reconnectPeriod: 0 };
    const [one, two] = [await connected(ven, options), await connected(other, options)];
    expect([one.client.connected, two.client.connected]).toEqual([true, true]);
    // Of one client, the later connection replaces the earlier.
    const closed = untilClosed(one);
    await connected(ven, options);
    await closed;
    expect(two.client.connected).toBe(true);
  });

  test("disconnects a client that is revoked, and one whose secret ended at once", async () => {
    const { accountId } = await vtn.newParticipant();
    const created = async () => {
      const body = { name: `VEN ${++count}` };
      const { id, client_secret } = await vtn.made(operator.createOpenadrClient, { params: { id: accountId }, body });
      return vtn.connected({ id, secret: client_secret ?? "" });
    };
    const [revoked, rotated] = [await created(), await created()];
    const [one, two] = [
      await connected(revoked, { reconnectPeriod: 0 }),
      await connected(rotated, { reconnectPeriod: 0 }),
    ];
    await vtn.made(operator.revokeOpenadrClient, { params: { id: revoked.id } });
    vtn.clock.advance({ seconds: 1 });
    await vtn.made(operator.rotateOpenadrSecret, { params: { id: rotated.id }, body: { previous_valid_hours: 0 } });
    await expect.poll(() => [one.client.connected, two.client.connected]).toEqual([false, false]);
    await expect(connectAsync(url, { username: revoked.id, password: revoked.token ?? "" }, false)).rejects.toThrow(
      /bad username/i,
    );
  });

  test("limits the connections of a client", async () => {
    const many = await vtn.ven();
    for (let each = 0; each < MAX_CONNECTIONS_OF_CLIENT; each++) await connected(many);
    await expect(connectAsync(url, await credentialsOf(many), false)).rejects.toThrow(/server unavailable/i);
  });

  test("limits the subscriptions of a connection", async () => {
    const hears = await connected(ven);
    const filters = Array.from(
      { length: MAX_SUBSCRIPTIONS_OF_CONNECTION },
      (_, at) => `clients/${ven.id}/programs/${at}`,
    );
    expect(new Set(await hears.subscribe(...filters))).toEqual(new Set([1]));
    const more = `clients/${ven.id}/programs/create`;
    expect(await hears.subscribe(more)).toEqual([128]);
    await hears.client.unsubscribeAsync(filters[0] ?? "");
    expect(await hears.subscribe(more)).toEqual([1]);
  });

  test("disconnects a subscriber that does not read, and holds up nobody for it", async () => {
    const hears = await connected(ven, { reconnectPeriod: 0 });
    await hears.subscribe(`clients/${ven.id}/programs/create`);
    const closed = untilClosed(hears);
    const { stream } = hears.client;
    stream.unpipe();
    stream.pause();
    const attributes = [{ type: "LARGE", values: ["x".repeat(250_000)] }];
    const ids = [];
    for (let step = 0; step < 60; step++) ids.push((await program({ attributes })).id);
    for (const id of ids) await blHears.about(id);
    let bytes = 0;
    stream.on("data", (chunk: Buffer) => (bytes += chunk.length));
    // What the kernel holds can be read; the rest is gone.
    stream.resume();
    await closed;
    expect(bytes).toBeLessThan(ids.length * 250_000);
  });

  test("closes a connection that announces a longer packet than it takes", async () => {
    const socket = connectSocket(Number(new URL(url).port), "127.0.0.1");
    await once(socket, "connect");
    const closed = once(socket, "close");
    const length = MAX_PACKET_BYTES + 1;
    socket.write(Buffer.from([0x10, (length & 0x7f) | 0x80, ((length >> 7) & 0x7f) | 0x80, length >> 14]));
    await closed;
  });

  test("tells subscribers of each process everything", async () => {
    await vtn.another();
    const second = await vtn.listenToOpenadr3();
    const { body } = await fetch(`${second}/notifiers`, { headers: { authorization: `Bearer ${bl.token}` } }).then(
      async (response) => ({ body: (await response.json()) as { MQTT: { URIS: string[] } } }),
    );
    const [secondUrl] = body.MQTT.URIS;
    expect(secondUrl).not.toBe(url);
    const hears = await subscriberAt(secondUrl ?? "", await credentialsOf(bl));
    await hears.subscribe("programs/create");
    const { id } = await program();
    await Promise.all([hears.about(id), blHears.about(id)]);
    expect(hears.heard.filter(({ body: each }) => each.object.id === id).length).toBe(1);
  });

  test("serves TLS with the certificate of OpenADR 3.1", async () => {
    const { key, cert } = await selfSigned("localhost");
    const [keyFile, certFile] = ["key.pem", "cert.pem"].map((file) => join(vtn.dataDir, file));
    await writeFile(keyFile ?? "", key);
    await writeFile(certFile ?? "", cert);
    const port = await freePort();
    const secured = await runningVtn({
      CURTAIL_OPENADR3_TLS_CERT: certFile ?? "",
      CURTAIL_OPENADR3_TLS_KEY: keyFile ?? "",
      CURTAIL_OPENADR3_MQTT_PORT: String(port),
    });
    const { id, client_secret } = await secured.made(operator.createBusinessLogic, { body: { name: "BL" } });
    const credentials = { username: id, password: client_secret ?? "" };
    const { client } = await subscriberAt(`mqtts://localhost:${port}`, credentials, { ca: cert });
    expect(client.connected).toBe(true);
    await expect(
      connectAsync(`mqtt://localhost:${port}`, { ...credentials, connectTimeout: 2000 }, false),
    ).rejects.toThrow();
  });
});
