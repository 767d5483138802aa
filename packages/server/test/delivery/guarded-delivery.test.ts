import { once } from "node:events";
import { connect, createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Resolve } from "../../src/delivery/address-guard.js";
import { sendWebhook } from "../../src/delivery/send-webhook.js";
import { webhookClient } from "../../src/delivery/webhook-client.js";
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

  test("the peer is checked once more after connecting, and gets no request", async () => {
    const { port, requests, connections } = await canary();
    let checks = 0;
    const policy = {
      ...onlyPublic,
      get allowLoopback() {
        return checks++ === 0;
      },
    };
    expect(await send(`http://127.0.0.1:${port}/`, { policy })).toMatchObject({ error: "blocked_address" });
    expect(connections()).toBe(1);
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

test("connections are used again for the next delivery, and kept to the limit for each origin", async () => {
  const { url, connections, requests } = await receiver(answering(200, {}, "ok"));
  const client = webhookClient(withLoopback, { connectionsPerOrigin: 2 });
  onTestFinished(async () => client.close());
  const outcomes = await Promise.all(Array.from({ length: 10 }, async () => sendWebhook(message(url), { client })));
  expect(outcomes.map(({ ok, address }) => ({ ok, address }))).toEqual(
    Array.from({ length: 10 }, () => ({ ok: true, address: "127.0.0.1" })),
  );
  expect(requests).toHaveLength(10);
  expect(connections()).toBeLessThanOrEqual(2);
});

test("the canary counts what reaches it (control)", async () => {
  let seen = 0;
  const port = await listening(createServer(() => seen++));
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.destroy();
  await expect.poll(() => seen).toBe(1);
});
