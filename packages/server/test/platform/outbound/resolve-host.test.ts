import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { hostResolver } from "../../../src/platform/outbound/resolve-host.js";
import { nameServer } from "./name-server.js";
import { answering, receiver, send } from "./receiver.js";

const IPV6 = "2606:4700:0:0:0:0:0:1111";
const known = { "live.test": ["192.0.2.1"], "both.test": ["192.0.2.2", "192.0.2.3", IPV6], "six.test": [IPV6] };

const resolving = async () => {
  const names = await nameServer(known);
  return { names, resolve: hostResolver({ servers: [names.server] }) };
};

test("a name gives all its addresses, of both families or one", async () => {
  const { resolve } = await resolving();
  const of = async (name: string) => (await resolve(name)).map(({ address }) => address);
  expect(await of("both.test")).toEqual(["192.0.2.2", "192.0.2.3", "2606:4700::1111"]);
  expect(await of("six.test")).toEqual(["2606:4700::1111"]);
  expect(await of("LIVE.test.")).toEqual(["192.0.2.1"]);
});

test("a name that does not exist is an error of DNS", async () => {
  const { resolve } = await resolving();
  await expect(resolve("nowhere.test")).rejects.toMatchObject({ code: "ENOTFOUND" });
  expect(await send("http://nowhere.test/", { resolve })).toMatchObject({ ok: false, error: "dns", address: null });
});

test("a name server that is not running is a DNS error, not one of the receiver", async () => {
  const resolve = hostResolver({ servers: ["127.0.0.1:1"] });
  expect(await send("http://live.test/", { resolve, attemptMs: 10_000 })).toMatchObject({ ok: false, error: "dns" });
});

test("the hosts file comes first, however a name is written", async () => {
  const folder = await mkdtemp(join(tmpdir(), "curtail-hosts-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const hostsFile = join(folder, "hosts");
  await writeFile(hostsFile, "# live.test\n127.0.0.1\tLocal other.test # own.test\n::1 local\n192.0.2.9 live.test\n");
  const names = await nameServer(known);
  const resolve = hostResolver({ servers: [names.server], hostsFile });
  expect(await resolve("LOCAL.")).toEqual([{ address: "127.0.0.1" }, { address: "::1" }]);
  expect(await resolve("live.test")).toEqual([{ address: "192.0.2.9" }]);
  await expect(resolve("own.test")).rejects.toMatchObject({ code: "ENOTFOUND" });
  expect(names.asked).toEqual(["own.test", "own.test"]);
  const { port } = await receiver(answering(200));
  expect(await send(`http://other.test:${port}/`, { resolve })).toMatchObject({ ok: true });
});

test("a name that many ask for at once is looked up once, and anew afterwards", async () => {
  const { names, resolve } = await resolving();
  const answers = await Promise.all(Array.from({ length: 100 }, () => resolve("live.test")));
  expect(new Set(answers.map((found) => found[0]?.address))).toEqual(new Set(["192.0.2.1"]));
  expect(names.asked).toHaveLength(2);
  await resolve("live.test");
  expect(names.asked).toHaveLength(4);
});

test("200 names that nobody answers for do not hold up one that was never asked for, nor one that resolved before", async () => {
  const { names, resolve } = await resolving();
  await resolve("live.test");
  let ended = 0;
  const silent = Array.from({ length: 200 }, async (_, index) => {
    await expect(resolve(`silent-${index}.test`)).rejects.toThrow();
    ended += 1;
  });
  await expect.poll(() => names.waiting.size).toBeGreaterThanOrEqual(64);
  expect(await resolve("live.test")).toEqual([{ address: "192.0.2.1" }]);
  expect(await resolve("both.test")).toHaveLength(3);
  expect(ended).toBe(0);
  names.release();
  await Promise.all(silent);
});

test("a name that has waited for longer than an attempt takes is not asked for any more", async () => {
  const names = await nameServer(known);
  const resolve = hostResolver({ servers: [names.server], waitMs: 100, burstMs: 60_000 });
  const outcomes = Array.from({ length: 64 }, (_, index) => resolve(`silent-${index}.test`).catch(() => "not found"));
  await expect.poll(() => names.waiting.size).toBe(64);
  const askedMs = performance.now();
  const late = resolve("live.test");
  void late.catch(() => {});
  await expect.poll(() => performance.now() - askedMs).toBeGreaterThan(200);
  names.release();
  await expect(late).rejects.toMatchObject({ code: "ESERVFAIL" });
  await Promise.all(outcomes);
  expect(names.asked).not.toContain("live.test");
});
