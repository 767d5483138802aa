import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { verifyWebhook } from "@curtail/client";
import { createWebhook, listDispatches, operator } from "@curtail/contract";
import { type Received, type Receiver, receiver } from "@curtail/testing/receiver";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newDispatch, newProgram } from "../support/dispatching.js";
import { claimedKey, type Participant, type Running, running } from "../support/running.js";
import { faultyFront } from "./faulty-front.js";
import { type Following, follow, participantUser } from "./participant-run.js";

let service: Running;
let anna: Participant;
/** Of Anna's webhook. */
let hook: Receiver;
/** Anna's program, to which `listen` forwards. */
let program: Receiver;
let user: ReturnType<typeof participantUser>;
let programId: string;

beforeAll(async () => {
  service = await running();
});

beforeEach(async () => {
  anna = await service.newParticipant();
  [hook, program] = [await receiver(), await receiver()];
  user = participantUser();
  programId = await newProgram(service, [anna]);
  const events = [{ name: "dispatch.create" as const }, { name: "dispatch.update" as const }];
  await anna.call(createWebhook, { body: { url: hook.url, events } });
});

type Listening = Pick<Following, "said" | "stop">;

interface ListenOptions {
  readonly key?: string;
  readonly url?: string;
  readonly to?: Receiver;
  readonly args?: readonly string[];
  readonly speed?: number;
}

/** `curtail listen`, once it follows. */
const listen = async ({
  key = anna.key,
  url = service.url,
  to = program,
  args = [],
  speed = 50,
}: ListenOptions = {}) => {
  const before = to.received.length;
  const { said, printed, stop } = await follow(user.run, ["listen", "--forward-to", to.url, "--every", "1s", ...args], {
    environment: { CURTAIL_URL: url, CURTAIL_API_KEY: key },
    now: () => service.clock.now(),
    speed,
  });
  const listening: Listening = {
    said,
    async stop() {
      // What was answered is recorded when it is printed; an interruption before that repeats it.
      await expect.poll(() => printed().match(/ in \d+ ms/g)?.length ?? 0).toBe(to.received.length - before);
      return stop();
    },
  };
  return listening;
};

const dispatched = async (): Promise<string> => (await newDispatch(service, programId)).id;
const cancelled = (id: string) =>
  service.made(operator.changeDispatch, { params: { id }, body: { authorized: false } });

/** Resends the newest delivery of a dispatch, once it and every resend before are through. */
const resent = async (dispatchId: string): Promise<void> => {
  const newest = async () => {
    const { items } = await service.made(operator.listDispatchDeliveries, { params: { id: dispatchId } });
    return items.find(({ state, next_attempt_at }) => state === "delivered" && next_attempt_at === null);
  };
  await expect.poll(newest).toBeDefined();
  await service.made(operator.resendDelivery, { params: { id: (await newest())?.id ?? "" } });
};

/** `create dis_…`, and `create dis_… resent`. */
const wordsOf = ({ event, resource, headers }: Received): string =>
  `${event.replace("dispatch.", "")} ${resource.split("/").at(-1)}${"curtail-resend" in headers ? " resent" : ""}`;
const arrived = async (count: number, at = program): Promise<readonly string[]> =>
  (await at.notices(count)).map(wordsOf);

/** What was forwarded, and what else arrives before a new dispatch, which comes last. */
const settled = async (count: number, at = program): Promise<readonly string[]> => {
  await arrived(count, at);
  const last = await dispatched();
  const words = await arrived(count + 1, at);
  expect(words.at(-1)).toBe(`create ${last}`);
  return words.slice(0, -1);
};

describe("a notice that is resent to a webhook", () => {
  test("is forwarded again under its id, signed and marked, once for each resend", async () => {
    const { stop, said } = await listen();
    const id = await dispatched();
    await program.notices(1);
    await resent(id);
    expect(await arrived(2)).toEqual([`create ${id}`, `create ${id} resent`]);
    service.clock.advance({ seconds: 1 });
    await resent(id);
    expect(await settled(3)).toEqual([`create ${id}`, `create ${id} resent`, `create ${id} resent`]);
    const [first, second, third] = await program.notices(3);
    expect(new Set([first, second, third].map((each) => each?.headers["webhook-id"])).size).toBe(1);
    expect(second?.headers["curtail-resend"]).toMatch(/^rsn_/);
    expect(third?.headers["curtail-resend"]).not.toBe(second?.headers["curtail-resend"]);
    const secrets = /Secret: (\S+)/.exec(said())?.[1] ?? "";
    const verified = await verifyWebhook({ secrets, headers: second?.headers ?? {}, body: second?.text ?? "" });
    expect(verified).toMatchObject({ ok: true, notice: { event: "dispatch.create", dispatchId: id } });
    const { stdout, exitCode } = await stop();
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(new RegExp(`^dispatch.create ${id} #0: 200 .*\ndispatch.create ${id} #0 resent: 200 `));
  });

  test("while it was down is forwarded at the next start, after what came before, and not again at the one after", async () => {
    await (await listen()).stop();
    const first = await dispatched();
    await hook.notices(1);
    await resent(first);
    const second = await dispatched();
    const again = await listen();
    expect([...(await arrived(3))].sort()).toEqual(
      [`create ${first}`, `create ${second}`, `create ${first} resent`].sort(),
    );
    expect((await arrived(3))[2]).toBe(`create ${first} resent`);
    await again.stop();
    const last = await listen();
    expect(await settled(3)).toHaveLength(3);
    await last.stop();
  });

  test("waits behind the notice that its program refuses", async () => {
    const listening = await listen();
    program.answer = 500;
    const id = await dispatched();
    await hook.notices(1);
    await resent(id);
    await program.notices(2);
    expect(new Set(await arrived(2))).toEqual(new Set([`create ${id}`]));
    program.answer = 200;
    await expect.poll(async () => (await arrived(0)).at(-1)).toBe(`create ${id} resent`);
    await listening.stop();
  });

  test("reaches each of two listeners once, and one of a dispatch that it never forwarded", async () => {
    const old = await dispatched();
    const other = await receiver();
    const both = [await listen(), await listen({ to: other })];
    await resent(old);
    const id = await dispatched();
    for (const at of [program, other])
      expect([...(await arrived(2, at))].sort()).toEqual([`create ${id}`, `create ${old} resent`].sort());
    const last = await dispatched();
    for (const at of [program, other]) expect((await arrived(3, at)).slice(2)).toEqual([`create ${last}`]);
    for (const each of both) await each.stop();
  });

  test("is forwarded at the first start if it is not older than --since", async () => {
    const id = await dispatched();
    await hook.notices(1);
    await resent(id);
    service.clock.advance({ hours: 2 });
    await resent(id);
    const listening = await listen({ args: ["--since", "1h"] });
    expect(await settled(1)).toEqual([`create ${id} resent`]);
    await listening.stop();
  });

  test("is not known to an older service: that is said once, and dispatches are forwarded", async () => {
    const front = await faultyFront(service.url);
    front.lacks = "/resends";
    const listening = await listen({ url: front.url });
    const id = await dispatched();
    expect(await arrived(1)).toEqual([`create ${id}`]);
    expect(listening.said().match(/the service does not list resends/g)).toHaveLength(1);
    await listening.stop();
  });
});

test("resends are asked for again after a service that did not list them, which is said once", async () => {
  const front = await faultyFront(service.url);
  const listening = await listen({ url: front.url, args: ["--every", "60s"], speed: 600 });
  await expect
    .poll(() => states().map((name) => readFileSync(join(stateFolder(), name), "utf8"))[0])
    .toMatch(/"resent":\{/);
  front.lacks = "/resends";
  await expect.poll(listening.said).toContain("the service does not list resends");
  const id = await dispatched();
  await hook.notices(1);
  await resent(id);
  front.lacks = null;
  await expect.poll(async () => (await arrived(0)).at(-1)).toBe(`create ${id} resent`);
  expect(listening.said().match(/the service does not list resends/g)).toHaveLength(1);
  await listening.stop();
});

test.each(["by the same process", "by the next one"])(
  "a resend from a time when the service listed none is forwarded %s, and none from before the first start",
  async (which) => {
    const front = await faultyFront(service.url);
    const old = await dispatched();
    await resent(old);
    service.clock.advance({ seconds: 1 });
    front.lacks = "/resends";
    const options = { url: front.url, speed: 600 };
    let listening = await listen(options);
    await expect.poll(listening.said).toContain("the service does not list resends");
    const id = await dispatched();
    await resent(id);
    await arrived(1);
    if (which === "by the next one") await listening.stop();
    front.lacks = null;
    if (which === "by the next one") listening = await listen(options);
    expect(await arrived(2)).toEqual([`create ${id}`, `create ${id} resent`]);
    expect(await settled(2)).toEqual([`create ${id}`, `create ${id} resent`]);
    await listening.stop();
  },
);

const rotated = async (): Promise<void> => {
  const next = await service.participantOf(anna.accountId);
  await service.operator(operator.revokeKey, { params: { id: anna.keyId } });
  anna = { ...anna, key: next.key, keyId: next.keyId, call: next.call };
};
const stateFolder = (): string => join(user.home, "state", "curtail");
const states = (): readonly string[] =>
  existsSync(stateFolder()) ? readdirSync(stateFolder()).filter((name) => name.endsWith(".json")) : [];
/** States that know the account's sites. */
const ofSites = (): readonly string[] =>
  states().filter((name) => readFileSync(join(stateFolder(), name), "utf8").includes('"ids":["'));
const sandboxKeyOf = async ({ accountId }: Participant): Promise<string> =>
  (await claimedKey(service, accountId, "sandbox")).key;
const secretOf = ({ said }: Listening): string => /Secret: (\S+)/.exec(said())?.[1] ?? "";

describe("the state of a listener", () => {
  test("belongs to the account: a new key goes on with it, and nothing is lost or forwarded twice", async () => {
    const first = await listen();
    const id = await dispatched();
    await program.notices(1);
    await first.stop();
    await rotated();
    await resent(id);
    const missed = await dispatched();
    const second = await listen();
    expect(secretOf(second)).toBe(secretOf(first));
    expect(await settled(3)).toEqual([`create ${id}`, `create ${missed}`, `create ${id} resent`]);
    await second.stop();
    expect(states()).toHaveLength(1);
  });

  test("of another account that forwards to the same address is left alone", async () => {
    const first = await listen();
    await expect
      .poll(() => states().map((name) => readFileSync(join(stateFolder(), name), "utf8"))[0])
      .toMatch(/site_/);
    await first.stop();
    const bert = await service.newParticipant();
    const second = await listen({ key: bert.key });
    expect(secretOf(second)).not.toBe(secretOf(first));
    await second.stop();
    expect(states()).toHaveLength(2);
  });

  test.for(["the same key", "the key that replaced it"])(
    "of an earlier version is read on, with %s; resends of its time are not forwarded",
    async (which) => {
      const id = await dispatched();
      await hook.notices(1);
      await resent(id);
      const { dispatches } = (await anna.call(listDispatches)).body;
      const seen = Object.fromEntries(dispatches.map((dispatch) => [dispatch.id, { phase: "active", dispatch }]));
      const secret = `whsec_${Buffer.alloc(32, 5).toString("base64")}`;
      const name = createHash("sha256").update(`${service.url} ${anna.key} ${program.url}`).digest("hex").slice(0, 16);
      const state = { secret, forwarded: { [id]: 0 }, watched: { seen }, url: service.url, target: program.url };
      mkdirSync(stateFolder(), { recursive: true });
      writeFileSync(join(stateFolder(), `listen-${name}.json`), JSON.stringify(state));
      if (which !== "the same key") await rotated();
      const listening = await listen();
      expect(secretOf(listening)).toBe(secret);
      expect(await settled(0)).toEqual([]);
      await cancelled(id);
      expect((await arrived(2)).at(1)).toBe(`update ${id}`);
      await listening.stop();
      expect(states()).toHaveLength(1);
    },
  );

  test("of an earlier version that tells no account is read by a second one, and stays the first one's", async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    const state = { secret, forwarded: { dis_old: 0 }, watched: null, url: service.url, target: program.url };
    mkdirSync(stateFolder(), { recursive: true });
    const name = createHash("sha256").update(`${service.url} ${anna.key} ${program.url}`).digest("hex").slice(0, 16);
    const file = join(stateFolder(), `listen-${name}.json`);
    writeFileSync(file, JSON.stringify(state));
    const bert = await service.newParticipant();
    const second = await listen({ key: bert.key });
    const first = await listen();
    expect(secretOf(first)).toBe(secret);
    await second.stop();
    const id = await dispatched();
    expect(await arrived(1)).toEqual([`create ${id}`]);
    await first.stop();
    expect(states()).toHaveLength(2);
    expect(JSON.parse(readFileSync(file, "utf8")).keys).toHaveLength(1);
  });

  test("of the sandbox belongs to a key, since the sandbox shows each account the same sites", async () => {
    const keys = await Promise.all([anna, await service.newParticipant()].map(sandboxKeyOf));
    const secrets: string[] = [];
    for (const key of [...keys, ...keys]) {
      const listening = await listen({ key, url: service.sandboxUrl });
      await expect.poll(() => ofSites().length).toBeGreaterThanOrEqual(Math.min(2, secrets.length + 1));
      secrets.push(secretOf(listening));
      await listening.stop();
    }
    expect(secrets[1]).not.toBe(secrets[0]);
    expect(secrets.slice(2)).toEqual(secrets.slice(0, 2));
  });

  test("is used by one process at a time; the second is told which one", async () => {
    const first = await listen();
    const second = await user.run(["listen", "--forward-to", program.url], {
      environment: { CURTAIL_URL: service.url, CURTAIL_API_KEY: anna.key },
    });
    expect(second).toMatchObject({ exitCode: 1, stdout: "" });
    expect(second.stderr).toContain(`process ${process.pid} forwards to ${program.url} for this account`);
    await first.stop();
    await (await listen()).stop();
  });
});
