import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atEnd } from "@curtail/testing/at-end";
import { freePort } from "@curtail/testing/free-port";
import { startBroker, withoutMosquitto } from "@curtail/testing/mosquitto";
import { connectAsync } from "mqtt";
import { describe, expect, test } from "vitest";
import {
  connectedTo,
  credentialsOf,
  mosquittoWithUsers,
  subscriberAt,
  type TestBroker,
  topicsFor,
} from "../../support/mqtt-broker.js";
import { runningVtn } from "../../support/openadr-3.js";
import { selfSigned } from "../../support/self-signed.js";

let count = 0;
const name = (what: string) => `${what} ${++count}`;

/** Programs of these sizes, told to business logic. */
const told = async (broker: TestBroker, sizes: readonly number[]) => {
  const vtn = await runningVtn(broker.settings);
  const bl = await vtn.bl();
  const hears = await connectedTo(broker.url, bl);
  await hears.subscribe("programs/create");
  const ids: string[] = [];
  for (const size of sizes) {
    const attributes = [{ type: "LARGE", values: ["x".repeat(size)] }];
    ids.push((await bl.programs.made({ programName: name("Program"), attributes })).id);
  }
  // The pauses of six failures.
  await hears.about(ids.at(-1) ?? "", 1, 25_000);
  return sizes.filter((_, at) => hears.heard.some(({ body }) => body.object.id === ids[at]));
};

describe.skipIf(withoutMosquitto !== null)(
  "an outside broker with limits of its own (skipped without mosquitto)",
  () => {
    test("that announces the longest packet is told all that fits", async () => {
      const broker = await mosquittoWithUsers({ lines: ["max_packet_size 20000"] });
      expect(await told(broker, [10, 30_000, 100])).toEqual([10, 100]);
    });

    test("that refuses a message for its size is told the others", async () => {
      const broker = await mosquittoWithUsers({ lines: ["message_size_limit 20000"] });
      expect(await told(broker, [10, 30_000, 100])).toEqual([10, 100]);
    });

    test("that hangs up on a large message is told the others, after some attempts", async () => {
      const broker = await mosquittoWithUsers();
      const proxy = await hangingUp(new URL(broker.url), 40_000);
      const settings = { ...broker.settings, CURTAIL_OPENADR3_MQTT_URL: proxy };
      expect(await told({ ...broker, settings }, [10, 50_000, 100])).toEqual([10, 100]);
    });
  },
);

/** A way to a broker that breaks when so many bytes are sent at once; returns its address. */
const hangingUp = async ({ port }: URL, maxBytes: number): Promise<string> => {
  const server = createServer((socket) => {
    const broker = connect(Number(port), "127.0.0.1");
    let bytes = 0;
    let since = performance.now();
    socket.on("data", (chunk: Buffer) => {
      if (performance.now() - since > 50) bytes = 0;
      since = performance.now();
      bytes += chunk.length;
      if (bytes > maxBytes) socket.destroy();
      else broker.write(chunk);
    });
    broker.pipe(socket);
    socket.on("error", () => {}).once("close", () => broker.destroy());
    broker.on("error", () => {}).once("close", () => socket.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  atEnd(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return `mqtt://localhost:${(server.address() as AddressInfo).port}`;
};

describe.skipIf(withoutMosquitto !== null)("an outside broker over TLS (skipped without mosquitto)", () => {
  test("is published to with its own authority, and refuses whoever has none", async () => {
    const folder = await mkdtemp(join(tmpdir(), "curtail-broker-tls-"));
    atEnd(() => rm(folder, { recursive: true }));
    const { key, cert } = await selfSigned("localhost");
    const [keyFile, certFile] = [join(folder, "broker.key"), join(folder, "broker.pem")];
    await Promise.all([writeFile(keyFile, key), writeFile(certFile, cert)]);
    const broker = await mosquittoWithUsers({ tls: { ca: certFile, certificate: certFile, key: keyFile } });
    const vtn = await runningVtn(broker.settings);
    const ven = await vtn.ven();
    expect((await ven.notifiers()).body.MQTT.URIS).toEqual([broker.url]);
    const hears = await connectedTo(broker.url, ven, { ca: cert });
    await hears.subscribe(...(await topicsFor(ven, "programs")));
    const { id } = await (await vtn.bl()).programs.made({ programName: "Program" });
    expect((await hears.about(id)).length).toBe(1);
    await expect(connectAsync(broker.url, await credentialsOf(ven), false)).rejects.toThrow(/self-signed/i);
  });
});

describe.skipIf(withoutMosquitto !== null)(
  "an outside broker that authenticates clients itself (skipped without mosquitto)",
  () => {
    test("needs two rules for all VENs, and clients are told no password", async () => {
      const folder = await mkdtemp(join(tmpdir(), "curtail-broker-"));
      const port = await freePort();
      const [rules, passwords] = [join(folder, "rules"), join(folder, "passwords")];
      await writeFile(
        rules,
        ["user curtail", "topic write #", "pattern read clients/%u/#", "pattern read sandbox/clients/%u/#", ""].join(
          "\n",
        ),
      );
      const vtn = await runningVtn({
        CURTAIL_OPENADR3_MQTT_URL: `mqtt://localhost:${port}`,
        CURTAIL_OPENADR3_MQTT_USERNAME: "curtail",
        CURTAIL_OPENADR3_MQTT_PASSWORD: "of-the-service",
        CURTAIL_OPENADR3_MQTT_ACCESS: "broker",
        CURTAIL_OPENADR3_MQTT_PUBLIC_URLS: "mqtts://broker.example.com,mqtts://other.example.com:8884",
      });
      const [bl, ven, other] = await Promise.all([vtn.bl(), vtn.ven(), vtn.ven()]);
      expect((await ven.notifiers()).body.MQTT).toMatchObject({
        URIS: ["mqtts://broker.example.com", "mqtts://other.example.com:8884"],
        authentication: { method: "OAUTH2_BEARER_TOKEN", username: ven.id },
      });
      expect((await ven.notifiers()).body.MQTT.authentication).not.toHaveProperty("password");
      for (const [user, password] of [
        ["curtail", "of-the-service"],
        [ven.id, "of-a-ven"],
      ] as const)
        execFileSync("mosquitto_passwd", [...(user === "curtail" ? ["-c"] : []), "-b", passwords, user, password]);
      const broker = await startBroker(folder, port, null, [
        "allow_anonymous false",
        `acl_file ${rules}`,
        `password_file ${passwords}`,
      ]);
      atEnd(() => broker.stop());
      const hears = await subscriberAt(broker.url, { username: ven.id, password: "of-a-ven" });
      await hears.subscribe(`clients/${ven.id}/#`, `clients/${other.id}/#`);
      const { id } = await bl.programs.made({ programName: "Program" });
      const heard = await hears.about(id, 2);
      expect(heard.every(({ topic }) => topic.startsWith(`clients/${ven.id}/`))).toBe(true);
    });
  },
);
