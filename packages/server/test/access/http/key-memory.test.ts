import { expect, test } from "vitest";
import { KeyMemory } from "../../../src/access/http/key-memory.js";
import type { KeyCaller } from "../../../src/access/operations/caller.js";

const anna: KeyCaller = {
  accountId: "acc_1",
  actor: "key:key_1",
  keyId: "key_1",
  expiresAt: new Date("2026-07-01T12:00:00Z"),
  environment: "production",
  sees: "own sites",
};

/** A memory in which one key is valid, what it looked up, and its clock. */
const memoryOf = () => {
  const asked: string[] = [];
  const clock = { at: new Date("2026-07-01T00:00:00Z") };
  const known = { stamp: "s0" };
  const valid = new Map([["good", anna]]);
  const authenticate = async (apiKey: string): Promise<KeyCaller | null> => {
    asked.push(apiKey);
    return valid.get(apiKey) ?? null;
  };
  const used: string[] = [];
  const memory = new KeyMemory({
    authenticate,
    stamp: () => known.stamp,
    clock: { now: () => clock.at },
    noteUsed: (keyId) => used.push(keyId),
  });
  return { memory, asked, clock, known, valid, used };
};

test("a key that was never accepted is not looked up for a poll", async () => {
  const { memory, asked } = memoryOf();
  expect(await memory.lookUp("good", "s1")).toBeUndefined();
  expect(await memory.find("wrong")).toBeNull();
  expect(await memory.lookUp("wrong", "s1")).toBeUndefined();
  expect(asked).toEqual(["wrong"]);
});

test("an accepted key is looked up once for each stamp", async () => {
  const { memory, asked, used } = memoryOf();
  await memory.find("good");
  expect(memory.known("good", "s1")).toBeUndefined();
  expect(await memory.lookUp("good", "s1")).toBe(anna);
  expect([memory.known("good", "s1"), memory.known("good", "s2")]).toEqual([anna, undefined]);
  expect(asked).toEqual(["good", "good"]);
  expect(used).toEqual(["key_1", "key_1", "key_1"]);
});

test("a key that was revoked or has expired is not known", async () => {
  const { memory, clock, valid } = memoryOf();
  await memory.find("good");
  await memory.lookUp("good", "s1");
  clock.at = new Date("2026-07-01T12:00:00Z");
  expect(memory.known("good", "s1")).toBeUndefined();
  clock.at = new Date("2026-07-01T11:59:59Z");
  valid.delete("good");
  expect(await memory.lookUp("good", "s2")).toBeUndefined();
  expect(memory.known("good", "s1")).toBeUndefined();
});

test("requests together look a valid key up once, and again after the stamp of all keys is new", async () => {
  const { memory, asked, known, valid } = memoryOf();
  expect(await Promise.all([memory.find("good"), memory.find("good")])).toEqual([anna, anna]);
  expect(await memory.find("good")).toBe(anna);
  expect(asked).toEqual(["good"]);
  valid.delete("good");
  known.stamp = "s1";
  expect(await memory.find("good")).toBeNull();
  expect(asked).toEqual(["good", "good"]);
});

test("a key whose lookup began before its stamp was new is looked up again", async () => {
  const { memory, asked, known } = memoryOf();
  const before = memory.find("good");
  known.stamp = "s1";
  await before;
  await memory.find("good");
  expect(asked).toEqual(["good", "good"]);
});

test("a remembered key is accepted until it expires", async () => {
  const { memory, clock, valid } = memoryOf();
  expect(await memory.find("good")).toBe(anna);
  clock.at = new Date("2026-07-01T12:00:00Z");
  valid.delete("good");
  expect(await memory.find("good")).toBeNull();
});
