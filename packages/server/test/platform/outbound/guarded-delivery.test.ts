import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect, createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { sendWebhook } from "../../../src/notification/worker/send-webhook.js";
import { type Admit, BlockedAddress, type Resolve } from "../../../src/platform/outbound/address-guard.js";
import { webhookClient } from "../../../src/platform/outbound/webhook-client.js";
import { answering, canary, listening, message, onlyPublic, receiver, send, withLoopback } from "./receiver.js";

const resolvingTo =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address }));

const resolvingNothing: Resolve = async () => {
  throw Object.assign(new Error("getaddrinfo ENOTFOUND nowhere.test"), { code: "ENOTFOUND" });
};

describe("what leads to this machine", () => {
  test("does so when loopback is allowed, however it is spelled (control)", async () => {
    const { port, connections } = await canary();
    for (const host of [
      "127.0.0.1",
      "127.1",
      "2130706433",
      "0x7f.1",
      "0177.0.0.1",
      "127。0。0。1",
      "ＬＯＣＡＬＨＯＳＴ",
    ]) {
      const outcome = await send(`http://${host}:${port}/`, { resolve: resolvingTo("127.0.0.1") });
      expect(outcome).toMatchObject({ ok: true, address: "127.0.0.1" });
    }
    expect(connections()).toBe(7);
  });

  test.each([
    "127.0.0.1",
    "127.0.0.2",
    "127.1",
    "0",
    "0.0.0.0",
    "2130706433",
    "0x7f.1",
    "0177.0.0.1",
    "127。0。0。1",
    "localhost",
    "ＬＯＣＡＬＨＯＳＴ",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:0.0.0.0]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
  ])("is not reached as %s when loopback is not allowed (L7)", async (host) => {
    const { port, connections } = await canary();
    expect(await send(`http://${host}:${port}/`, { policy: onlyPublic })).toMatchObject({
      ok: false,
      status: null,
      error: "blocked_address",
    });
    expect(connections()).toBe(0);
  });

  test("is not reached as 0.0.0.0, [::] or a mapped wildcard even when loopback is allowed", async () => {
    const { port, connections } = await canary();
    for (const host of ["0.0.0.0", "0", "[::]", "[::ffff:0.0.0.0]"]) {
      expect((await send(`http://${host}:${port}/`)).error).toBe("blocked_address");
    }
    expect(connections()).toBe(0);
  });

  test.each(["localhost.", "metadata.google.internal", "127.0.0.1.nip.test"])(
    "is not reached by the name %s",
    async (name) => {
      const { port, connections } = await canary();
      const outcome = await send(`http://${name}:${port}/`, { policy: onlyPublic, resolve: resolvingTo("127.0.0.1") });
      expect(outcome).toMatchObject({ error: "blocked_address", address: "127.0.0.1" });
      expect(connections()).toBe(0);
    },
  );
});

test.each(["169.254.169.254", "[fd00:ec2::254]", "100.100.100.200", "168.63.129.16"])(
  "the metadata address %s is not reached (L8)",
  async (host) => {
    expect(await send(`http://${host}/`)).toMatchObject({ error: "blocked_address", status: null });
  },
);

describe("names that change", () => {
  test.each([
    "127.0.0.1",
    "127.0.0.2",
    "::1",
    "0:0:0:0:0:0:0:1",
    "::ffff:127.0.0.1",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "0.0.0.0",
    "::",
    "10.0.0.1",
    "169.254.169.254",
    "fd00:ec2::254",
    "100.100.100.200",
    "168.63.129.16",
  ])("public at first and %s later: the delivery is blocked (L7, L8, L11)", async (address) => {
    const { port, connections } = await canary();
    // 192.0.2.1 stands for a public address; nothing answers there.
    const policy = { ...onlyPublic, allowedNetworks: ["192.0.2.0/24"] };
    const answers = ["192.0.2.1", address, address];
    const resolve: Resolve = async () => [{ address: answers.shift() ?? "none" }];
    const client = webhookClient(policy, { resolve });
    onTestFinished(async () => client.close());
    const url = `http://rebinding.test:${port}/`;
    const first = await sendWebhook(message(url), { client, attemptMs: 200 });
    expect(first.error).not.toBe("blocked_address");
    const later = await sendWebhook(message(url), { client, attemptMs: 2000 });
    expect(later).toMatchObject({ ok: false, error: "blocked_address", address });
    expect(connections()).toBe(0);
  });

  test("the address checked is the one dialled: a name is asked for once per connection (L12)", async () => {
    const { port } = await canary();
    let asked = 0;
    const resolve: Resolve = async () => [{ address: asked++ === 0 ? "127.0.0.1" : "10.0.0.1" }];
    expect(await send(`http://flipping.test:${port}/`, { resolve })).toMatchObject({ ok: true, address: "127.0.0.1" });
    expect(asked).toBe(1);
  });

  test("one public and one private address: refused", async () => {
    const { port, connections } = await canary();
    const resolve = resolvingTo("1.1.1.1", "127.0.0.1");
    expect((await send(`http://mixed.test:${port}/`, { policy: onlyPublic, resolve })).error).toBe("blocked_address");
    expect(connections()).toBe(0);
  });

  test("the peer is checked again after connecting, and gets no request", async () => {
    const { port, requests, connections } = await canary();
    let checks = 0;
    const policy = {
      ...onlyPublic,
      get allowLoopback() {
        return checks++ === 0;
      },
    };
    expect(await send(`http://127.0.0.1:${port}/`, { policy })).toMatchObject({ error: "blocked_address" });
    expect(connections()).toBeLessThanOrEqual(2);
    expect(requests).toEqual([]);
  });

  test("an address that refuses is passed over for the next", async () => {
    const { port } = await receiver(answering(200));
    const outcome = await send(`http://two.test:${port}/`, { resolve: resolvingTo("::1", "127.0.0.1") });
    expect(outcome).toMatchObject({ ok: true, address: "127.0.0.1" });
  });

  test("a name that does not resolve is an error of DNS", async () => {
    expect(await send("http://nowhere.test/", { resolve: resolvingNothing })).toMatchObject({
      ok: false,
      error: "dns",
      address: null,
    });
  });
});

test("a connection is used again for the next delivery, and says where it leads to", async () => {
  const { url, connections, requests } = await receiver(answering(200, {}, "ok"));
  const client = webhookClient(withLoopback);
  onTestFinished(async () => client.close());
  for (let count = 0; count < 10; count++)
    expect(await sendWebhook(message(url), { client })).toMatchObject({ ok: true, address: "127.0.0.1" });
  expect(requests).toHaveLength(10);
  expect(connections()).toBeLessThanOrEqual(2);
});

test("300 requests that hang at a host do not hold up one more", async () => {
  const held: ServerResponse[] = [];
  const { url } = await receiver((response, { path }) => {
    if (path === "/hook") held.push(response);
    else response.writeHead(200).end();
  });
  const client = webhookClient(withLoopback);
  onTestFinished(async () => client.close());
  const hanging = Array.from({ length: 300 }, async () => sendWebhook(message(url), { client }));
  await expect.poll(() => held.length).toBe(300);
  expect(await sendWebhook(message(url.replace("hook", "live")), { client })).toMatchObject({ ok: true });
  for (const response of held) response.writeHead(200).end();
  expect((await Promise.all(hanging)).every(({ ok }) => ok)).toBe(true);
});

describe("a client that is told which addresses it may dial now", () => {
  test("asks for every name, literal and redirect, and keeps no connection between", async () => {
    const { port, connections } = await receiver((response, { path }) => {
      if (path === "/away") response.writeHead(302, { location: `http://second.test:${port}/` }).end();
      else response.writeHead(200).end();
    });
    const asked: string[] = [];
    const admit: Admit = ([address = ""]) => {
      asked.push(address);
      return asked.length > 4 ? new BlockedAddress("dialled_too_often", address) : null;
    };
    const resolve = resolvingTo("127.0.0.1");
    const client = webhookClient(withLoopback, { resolve, admit, keepsConnections: false });
    onTestFinished(async () => client.close());
    const to = async (address: string) => sendWebhook(message(`http://${address}`), { client });
    expect(await to(`first.test:${port}/away`)).toMatchObject({ ok: true });
    expect(await to(`first.test:${port}/`)).toMatchObject({ ok: true });
    expect(await to(`127.0.0.1:${port}/`)).toMatchObject({ ok: true });
    expect(asked).toEqual(["127.0.0.1", "127.0.0.1", "127.0.0.1", "127.0.0.1"]);
    expect(await to(`third.test:${port}/`)).toMatchObject({ ok: false, error: "dialled_too_often" });
    expect(connections()).toBe(4);
  });
});

test("the canary counts what reaches it (control)", async () => {
  let seen = 0;
  const port = await listening(createServer(() => seen++));
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.destroy();
  await expect.poll(() => seen).toBe(1);
});
