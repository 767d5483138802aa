import { randomUUID } from "node:crypto";
import { createSocket } from "node:dgram";
import { atEnd } from "@curtail/testing/at-end";
import { describe, expect, test } from "vitest";
import { nameBytes, TYPE, twoBytes } from "../../../src/platform/mdns/dns-message.js";
import type { Link } from "../../../src/platform/mdns/links.js";
import { GROUP, PORT } from "../../../src/platform/mdns/multicast-socket.js";
import { MdnsResponder } from "../../../src/platform/mdns/responder.js";
import { withoutMulticast } from "../../support/vtn-browser.js";

const noMulticast = await withoutMulticast();
const LOOPBACK = "127.0.0.1";
const LINK: Link = { address: LOOPBACK, cidr: "127.0.0.1/8", addresses: [LOOPBACK] };
const SERVICES = ["_services", "_dns-sd", "_udp", "local"];

/** A clock that stands still until it is moved, which wakes who rests for long; short rests are none. */
const handClock = () => {
  let nowMs = 0;
  const resting = new Set<() => void>();
  return {
    now: () => new Date(nowMs),
    monotonicMs: () => nowMs,
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        const end = () => {
          resting.delete(end);
          resolve();
        };
        if (ms < 10_000 || signal?.aborted === true) setImmediate(end);
        else resting.add(end);
        signal?.addEventListener("abort", end);
      }),
    isResting: () => resting.size > 0,
    advance(ms: number) {
      nowMs += ms;
      for (const end of resting) end();
    },
  };
};

/** A responder for a service of a type of its own, so that others on this machine do not answer for it. */
const responding = async (links: () => readonly Link[] = () => [LINK]) => {
  const label = `_${randomUUID().slice(0, 8)}`;
  const clock = handClock();
  const warned: string[] = [];
  const service = { type: `${label}._tcp`, instance: "Here", host: "here", port: 1, txt: { round: "1" } };
  const responder = new MdnsResponder({
    links,
    service: async () => structuredClone(service),
    clock,
    log: { warn: (_, message) => void warned.push(message) },
  });
  atEnd(() => responder.stop());
  return { responder, clock, warned, service, label, type: [label, "_tcp", "local"] };
};

/** A socket on the loopback interface, and what arrives there for a label; on port 5353 it speaks multicast DNS. */
const askerOf = async (label: string, port: 0 | typeof PORT) => {
  const socket = createSocket({ type: "udp4", reuseAddr: true });
  const heard: Buffer[] = [];
  socket.on("message", (bytes) => {
    const isAnswer = (bytes[2] ?? 0) >= 0x80;
    if (isAnswer && bytes.includes(label)) heard.push(bytes);
  });
  await new Promise<void>((resolve) => {
    // To the group, the port is enough; a single asker has its address, too.
    if (port === 0) socket.bind(0, LOOPBACK, resolve);
    else socket.bind(port, resolve);
  });
  socket.setMulticastInterface(LOOPBACK);
  if (port === PORT) socket.addMembership(GROUP, LOOPBACK);
  atEnd(async () => void socket.close());
  return {
    heard,
    ask: (bytes: Buffer) =>
      new Promise<void>((resolve, reject) => {
        socket.send(bytes, PORT, GROUP, (error) => (error === null ? resolve() : reject(error)));
      }),
    clear: () => void heard.splice(0),
  };
};

const query = (id: number, ...asked: ReadonlyArray<readonly [name: readonly string[], type: number]>): Buffer =>
  Buffer.concat([
    ...[id, 0, asked.length, 0, 0, 0].map(twoBytes),
    ...asked.flatMap(([name, type]) => [nameBytes(name), twoBytes(type), twoBytes(1)]),
  ]);
const idOf = (answer: Buffer): number => answer.readUInt16BE(0);
const countsOf = (answer: Buffer) => ({ questions: answer.readUInt16BE(4), answers: answer.readUInt16BE(6) });

/** A responder after its two announcements, and somebody who heard them. */
const announced = async (links?: () => readonly Link[]) => {
  const found = await responding(links);
  const all = await askerOf(found.label, PORT);
  await found.responder.start();
  await expect.poll(() => all.heard.length).toBe(2);
  all.clear();
  return { ...found, all, single: await askerOf(found.label, 0) };
};

describe.skipIf(noMulticast !== null)(`a responder${noMulticast === null ? "" : ` (skipped: ${noMulticast})`}`, () => {
  test("answers ten single askers a second, however many ask", async () => {
    const { clock, type, single, all } = await announced();
    for (let id = 1; id <= 30; id++) await single.ask(query(id, [type, TYPE.PTR]));
    // It reads in order: when all are answered, so are those before.
    await all.ask(query(0, [type, TYPE.PTR]));
    await expect.poll(() => all.heard.length).toBe(1);
    clock.advance(1000);
    await single.ask(query(99, [type, TYPE.PTR]));
    await expect.poll(() => single.heard.map(idOf)).toContain(99);
    expect(single.heard.map(idOf)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 99]);
  });

  test("sends back the one question that it answers, not the others of a message", async () => {
    const { type, single } = await announced();
    const strangers = Array.from({ length: 90 }, (_, n) => [[`${n}`.repeat(30), "local"], TYPE.A] as const);
    await single.ask(query(7, [type, TYPE.PTR], ...strangers, [type, TYPE.PTR]));
    await expect.poll(() => single.heard.map(countsOf)).toEqual([{ questions: 1, answers: 1 }]);
  });

  test("answers who asks for its type just after it answered who asks for all types, and a record once a second", async () => {
    const { clock, type, all } = await announced();
    const instance = ["Here", ...type];
    await all.ask(query(0, [SERVICES, TYPE.PTR]));
    await expect.poll(() => all.heard.length).toBe(1);
    await all.ask(query(0, [type, TYPE.PTR]));
    await expect.poll(() => all.heard.length).toBe(2);
    expect(all.heard.map((each) => each.includes("Here"))).toEqual([false, true]);
    all.clear();
    await all.ask(query(0, [type, TYPE.PTR]));
    await all.ask(query(0, [type, TYPE.PTR], [instance, TYPE.SRV]));
    await expect.poll(() => all.heard.map(countsOf)).toEqual([{ questions: 0, answers: 1 }]);
    clock.advance(1000);
    await all.ask(query(0, [type, TYPE.PTR], [instance, TYPE.SRV]));
    await expect.poll(() => all.heard.length).toBe(2);
    expect(all.heard.map(countsOf).at(-1)).toEqual({ questions: 0, answers: 2 });
  });

  test("says once a minute that messages cannot be sent", async () => {
    const away: Link = { address: "192.0.2.1", cidr: "192.0.2.1/32", addresses: [] };
    const { clock, warned, service, all, single, type } = await announced(() => [LINK, away]);
    const failures = () => warned.filter((message) => message.includes("could not be sent"));
    // What is asked now is answered after both announcements were tried.
    await single.ask(query(7, [type, TYPE.PTR]));
    await expect.poll(() => single.heard.length).toBe(1);
    expect(failures()).toHaveLength(1);
    service.txt.round = "2";
    clock.advance(60_000);
    await expect.poll(() => all.heard.length).toBe(2);
    await single.ask(query(8, [type, TYPE.PTR]));
    await expect.poll(() => single.heard.length).toBe(2);
    expect(failures()).toHaveLength(2);
  });

  test("says once that no network has the listener's address, and announces the service when one has", async () => {
    const links: Link[] = [];
    const looks: number[] = [];
    const { responder, clock, warned, label } = await responding(() => {
      looks.push(links.length);
      return [...links];
    });
    const all = await askerOf(label, PORT);
    await responder.start();
    for (const times of [1, 2, 3]) {
      await expect.poll(() => looks.length).toBe(times);
      await expect.poll(() => clock.isResting()).toBe(true);
      if (times === 2) links.push(LINK);
      clock.advance(30_000);
    }
    await expect.poll(() => all.heard.length).toBe(2);
    expect(warned).toEqual([expect.stringContaining("set CURTAIL_HOST to")]);
  });
});
