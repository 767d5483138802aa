import { EventEmitter } from "node:events";
import type { FastifyReply, FastifyRequest } from "fastify";
import { beforeEach, describe, expect, test } from "vitest";
import { MAX_HELD_BYTES, MAX_OPEN_BODIES, MAX_OPEN_BYTES, OpenBodies } from "../../../src/platform/http/open-bodies.js";

const KEYLESS = 16_384;

let bodies: OpenBodies;

beforeEach(() => {
  bodies = new OpenBodies();
});

/** An open body from an address; `refused` is the refusal it got while arriving. */
const bodyFrom = (ip: string) => {
  const request = { ip, headers: {} } as FastifyRequest;
  const raw = new EventEmitter();
  bodies.hold(request, { raw } as unknown as FastifyReply);
  const held = bodies.heldOf(request);
  if (held === null) throw new Error("the body is not held");
  const refused: number[] = [];
  held.onRefused(({ status }) => refused.push(status));
  return { add: (bytes: number) => held.add(bytes)?.status ?? null, refused, held, answered: () => raw.emit("close") };
};

/** Bodies of several addresses that use all of the memory except 64 KB. */
const full = () => {
  const count = Math.ceil(MAX_HELD_BYTES / MAX_OPEN_BYTES);
  const all = Array.from({ length: count }, (_, index) => bodyFrom(`192.0.2.${index}`));
  for (const { add } of all) expect(add(MAX_OPEN_BYTES)).toBeNull();
  return all;
};

describe("bodies of all addresses together", () => {
  test("are bounded: the newest large one is refused, a small one is taken", () => {
    full();
    const room = 4 * KEYLESS;
    const newest = bodyFrom("198.51.100.1");
    expect(newest.add(room + KEYLESS)).toBeNull();
    expect(newest.add(1)).toBe(429);
    expect(bodyFrom("198.51.100.2").add(KEYLESS)).toBeNull();
    expect(bodyFrom("198.51.100.3").add(KEYLESS + 1)).toBe(429);
  });

  test("have the newest make room for an older one that goes on", () => {
    const oldest = bodyFrom("192.0.2.99");
    expect(oldest.add(KEYLESS + 1)).toBeNull();
    const all = full();
    expect(oldest.add(KEYLESS * all.length)).toBeNull();
    expect(all.map(({ refused }) => refused)).toEqual([[], [], [], [429]]);
    expect(oldest.refused).toEqual([]);
  });

  test("leave those alone that have arrived, and their room is free once they are answered", () => {
    const all = full();
    for (const { held } of all) held.arrived();
    const next = bodyFrom("198.51.100.1");
    expect(next.add(MAX_OPEN_BYTES)).toBe(429);
    expect(all.flatMap(({ refused }) => refused)).toEqual([]);
    all[0]?.answered();
    expect(next.add(MAX_OPEN_BYTES)).toBeNull();
  });
});

test("an IPv6 network of one customer is one address", () => {
  for (let index = 0; index < MAX_OPEN_BODIES; index++) bodyFrom(`2001:db8:1:2::${(index + 1).toString(16)}`);
  expect(() => bodyFrom("2001:db8:1:2:ffff::1")).toThrow(/this address is sending more/);
  expect(() => bodyFrom("2001:db8:1:3::1")).not.toThrow();
});
