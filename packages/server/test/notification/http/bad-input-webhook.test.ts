import type { ServerResponse } from "node:http";
import { operator } from "@curtail/contract";
import { receiver } from "@curtail/testing/receiver";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { recorded } from "../../support/recorded.js";
import {
  anna,
  carl,
  clear,
  dora,
  hook,
  onLoopback,
  packets,
  port,
  prepare,
  register,
} from "../../support/webhook-addresses.js";

beforeAll(prepare);

afterAll(clear);

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

  test.for([
    " https://a.example/",
    "https://a.example/ ",
    "https://a.exa\tmple/",
    "https://a.example/a b",
    "https://a.example/a\nb",
    "https://a.example/\u007f",
    "https://a.example/\u200b",
    "https://a.example/\u00a0",
  ])("L4: is refused with white space or characters that nobody sees: %j", async (url) =>
    expectError(await register(anna, url), 400, /white space/),
  );

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
    "metadata.google.internal",
  ])("L8: is refused when it leads into a closed network: %s", async (host) => {
    for (const service of [anna, carl]) expectError(await register(service, `https://${host}/`), 400);
  });

  test("L7, L8: may lead to the one address of this machine that the operator allows (control)", async () => {
    expect((await register(dora, hook.url)).status).toBe(200);
  });

  test.each([
    "127.2",
    "2130706434",
    "0x7f.2",
    "0177.0.0.2",
    "127%E3%80%820%E3%80%820%E3%80%822",
    "[::1]",
    "[::]",
    "0",
    "[::ffff:127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "169.254.169.254",
    "[fd00:ec2::254]",
    "100.100.100.200",
    "168.63.129.16",
    "10.0.0.1",
  ])("L7, L8: is refused when it redirects from an allowed address to %s", async (host) => {
    const astray = await receiver();
    astray.answer = (response) => void response.writeHead(302, { location: `http://${host}:${port()}/` }).end();
    expectError(await register(dora, astray.url), 400, /blocked_address/);
    expect(astray.received).toHaveLength(1);
    expect(packets).toBe(0);
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

  test("L28: is one of twenty of its account at most, also when all are registered at once", async () => {
    hook.answer = 200;
    const [ben, eve] = [await onLoopback.newParticipant(), await onLoopback.newParticipant()];
    const answers = await Promise.all(Array.from({ length: 23 }, () => register(ben, hook.url)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(3);
    for (const answer of refused) expectError(answer, 400, /20 webhooks/);
    expect((await ben.call("GET", "/webhooks")).body.webhooks).toHaveLength(20);
    expect((await register(eve, hook.url)).status).toBe(200);
  });

  test("L33: is not found when another account deletes it, and is still notified", async () => {
    const [ben, own] = [await onLoopback.newParticipant(), await receiver()];
    const { body } = await register(ben, own.url);
    const foreign = await anna.call("DELETE", `/webhooks/${body.id}`);
    expectError(foreign, 404);
    expect(foreign.text).toBe((await anna.call("DELETE", "/webhooks/wh_0000000000000000")).text);
    await newDispatch(onLoopback, await newProgram(onLoopback, [ben]));
    expect(await own.notices(1)).toHaveLength(1);
  });

  test("L35: deleted while a notice is in flight, gets nothing more, and pending deliveries are dropped", async () => {
    const [ben, own, other] = [await onLoopback.newParticipant(), await receiver(), await receiver()];
    const { body } = await register(ben, own.url);
    await register(ben, other.url);
    const program = await newProgram(onLoopback, [ben]);
    const held: ServerResponse[] = [];
    own.answer = (response) => void held.push(response);
    const { id } = await newDispatch(onLoopback, program);
    await own.notices(1);
    await onLoopback.made(operator.changeDispatch, { params: { id }, body: { authorized: false } });
    await recorded(onLoopback, id, 2);
    expect((await ben.call("DELETE", `/webhooks/${body.id}`)).status).toBe(200);
    held[0]?.writeHead(503).end();
    await recorded(onLoopback, id, 3);
    const { items } = (await onLoopback.operator("GET", `/webhooks/${body.id}/deliveries`)).body;
    expect(items).toMatchObject([
      { event: "dispatch.update", state: "dropped", next_attempt_at: null, attempts: [] },
      { event: "dispatch.create", state: "dropped", next_attempt_at: null, attempts: [{ status: 503 }] },
    ]);
    onLoopback.clock.advance({ hours: 1 });
    const last = await newDispatch(onLoopback, program);
    await recorded(onLoopback, last.id, 1);
    expect(await own.notices(1)).toHaveLength(1);
  });
});
