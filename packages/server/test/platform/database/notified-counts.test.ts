import { describe, expect, test } from "vitest";
import { NotifiedCounts } from "../../../src/platform/database/notified-counts.js";

/** Counts of a process; what it told is kept, or refused. */
const told = (isAway = false) => {
  const payloads: string[] = [];
  const pool = {
    query: async (_text: string, [, sent]: [string, string[]]) => {
      if (isAway) throw new Error("the database is away");
      payloads.push(...sent);
    },
  };
  return { payloads, counts: new NotifiedCounts({ pool: pool as never, name: "one" }) };
};

const heardBy = (counts: NotifiedCounts): Array<[string, number]> => {
  const heard: Array<[string, number]> = [];
  counts.hear("keys", (name, count) => void heard.push([name, count]));
  return heard;
};

describe("counts by notifications", () => {
  test("arrive at others as they were told, in order, in payloads that PostgreSQL takes", async () => {
    const one = told();
    const other = new NotifiedCounts({ pool: { query: () => {} } as never, name: "two" });
    const heard = heardBy(other);
    const sent = Array.from({ length: 3000 }, (_, index): [string, number] => [`kéy \n"${index}`, index]);
    for (const [name, count] of sent) one.counts.tell({ scope: "keys", name, count });
    await expect.poll(() => one.payloads.length).toBeGreaterThan(1);
    for (const payload of one.payloads) {
      expect(Buffer.byteLength(payload)).toBeLessThan(8000);
      other.take(payload);
    }
    expect(heard).toEqual(sent);
  });

  test("do not arrive at the process that told them, nor in another scope", async () => {
    const one = told();
    const heard = heardBy(one.counts);
    one.counts.tell({ scope: "keys", name: "a", count: 1 });
    await expect.poll(() => one.payloads.length).toBe(1);
    one.counts.take(one.payloads[0] ?? "");
    one.counts.take('["two",["other","a",1]]');
    expect(heard).toEqual([]);
  });

  test.each([
    "",
    "no JSON",
    "{}",
    "[]",
    "null",
    '["two",1,null,["keys"],["keys","a","1"],["keys",1,1],["keys","a",0.5]]',
  ])("leave out what another version may tell: %s", (payload) => {
    const { counts } = told();
    const heard = heardBy(counts);
    counts.take(payload);
    expect(heard).toEqual([]);
  });

  test("that cannot be told are lost, and those that come later are told", async () => {
    const away = told(true);
    away.counts.tell({ scope: "keys", name: "a", count: 1 });
    await away.counts.stop();
    expect(away.payloads).toEqual([]);
    const one = told();
    // Of a burst, what can be held is told.
    for (let count = 0; count < 100_000; count++) one.counts.tell({ scope: "keys", name: "a", count });
    one.counts.tell({ scope: "keys", name: "a".repeat(2000), count: 1 });
    await expect.poll(() => one.payloads.length).toBeGreaterThan(0);
    const all = one.payloads.flatMap((payload) => (JSON.parse(payload) as unknown[]).slice(1));
    expect(all).toHaveLength(5000);
    await one.counts.stop();
  });
});
