import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../support/expect-error.js";
import { type Receiver, receiver } from "../support/receiver.js";
import { type Participant, type Running, running } from "../support/running.js";

let onLoopback: Running;
let open: Running;
let anna: Participant;
let carl: Participant;
let hook: Receiver;
let packets = 0;

// Listens where the addresses below would lead, and must never hear of them.
const canary = createServer((socket) => {
  packets += 1;
  socket.destroy();
});

beforeAll(async () => {
  onLoopback = await running();
  // A service that others reach may reach loopback no more.
  open = await running({ CURTAIL_HOST: "0.0.0.0", CURTAIL_PUBLIC_URL: "https://dr.example.com" });
  [anna, carl] = [await onLoopback.newParticipant(), await open.newParticipant()];
  hook = await receiver();
  await new Promise<void>((resolve) => canary.listen(0, "0.0.0.0", resolve));
});
afterAll(() => canary.close());

const events = [{ name: "dispatch.create" }, { name: "dispatch.update" }];
const register = (participant: Participant, url: unknown) => participant.call("POST", "/webhooks", { url, events });
const port = (): number => (canary.address() as { port: number }).port;

describe("a webhook's url", () => {
  test.each([
    undefined,
    null,
    5,
    "",
    "/hooks",
    "hooks",
    "example.com/hooks",
    `https://example.com/${"x".repeat(10_000)}`,
  ])("L4: is refused when it is no whole address: %s", async (url) => expectError(await register(anna, url), 400));

  test.each([
    "file:///etc/passwd",
    "ftp://example.com/",
    "gopher://example.com/",
    "data:,x",
    "javascript:1",
    "ws://example.com/",
  ])("L5: is refused for its scheme: %s", async (url) => expectError(await register(anna, url), 400, /https/));

  test.each([
    "127.0.0.1",
    "localhost",
    "localhost.",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "0",
    "0.0.0.0",
    "127.1",
    "2130706433",
    "0x7f.1",
    "0177.0.0.1",
    "127。0。0。1",
    "ＬＯＣＡＬＨＯＳＴ",
  ])("L7: is refused when the service is open and it leads to this machine: %s", async (host) => {
    for (const scheme of ["http", "https"]) expectError(await register(carl, `${scheme}://${host}:${port()}/`), 400);
    expect(packets).toBe(0);
  });

  test.each([
    "169.254.169.254",
    "[fd00:ec2::254]",
    "100.100.100.200",
    "168.63.129.16",
    "10.0.0.1",
    "192.168.1.1",
    "172.16.0.1",
    "[fe80::1]",
    "[64:ff9b::7f00:1]",
    "224.0.0.1",
  ])("L8: is refused when it leads into a closed network: %s", async (host) => {
    for (const service of [anna, carl]) expectError(await register(service, `https://${host}/`), 400);
  });

  test("G33: may lead to loopback where the service listens there only", async () => {
    expect((await register(anna, hook.url)).status).toBe(200);
  });
});

describe("a webhook", () => {
  test("L1: needs events", async () => {
    expectError(await anna.call("POST", "/webhooks", { url: hook.url }), 400, /events is missing/);
  });

  test("L22: is created when its address answers 200, 201, 202 or 204", async () => {
    const ben = await onLoopback.newParticipant();
    for (const status of [200, 201, 202, 204]) {
      hook.answer = status;
      expect((await register(ben, hook.url)).status).toBe(200);
    }
  });

  test("L31, L32: is shown to its account only, and its secret to nobody", async () => {
    const ben = await onLoopback.newParticipant();
    const { body } = await register(ben, hook.url);
    const listed = await anna.call("GET", "/webhooks");
    expect(listed.text).not.toContain(body.id);
    expect((await ben.call("GET", "/webhooks")).text).not.toMatch(/secret|whsec/);
    expect(Object.keys(body).toSorted()).toEqual(["events", "id", "url"]);
  });
});
