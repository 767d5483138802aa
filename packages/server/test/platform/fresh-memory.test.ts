import { describe, expect, test } from "vitest";
import { FreshMemory } from "../../src/platform/fresh-memory.js";

/** A memory over a table of texts, and the keys that were loaded. */
const memoryOf = (table: Map<string, string>, mostBytes = 1000) => {
  const loads: string[][] = [];
  const memory = new FreshMemory<string>({
    async load(keys) {
      loads.push([...keys]);
      return keys.map((key) => table.get(key) ?? "");
    },
    bytesOf: (value) => value.length,
    mostBytes,
  });
  return { memory, loads };
};

describe("a fresh memory", () => {
  test("loads a value once while the stamp stays the same, and again after it changed", async () => {
    const table = new Map([["a", "first"]]);
    const { memory, loads } = memoryOf(table);
    expect(memory.known("a", "s1")).toBeUndefined();
    expect(await memory.find("a", "s1")).toBe("first");
    table.set("a", "second");
    expect(await memory.find("a", "s1")).toBe("first");
    expect(memory.known("a", "s2")).toBeUndefined();
    expect(await memory.find("a", "s2")).toBe("second");
    expect(loads).toEqual([["a"], ["a"]]);
  });

  test("loads what is asked for at the same time together", async () => {
    const { memory, loads } = memoryOf(new Map([["a", "A"]]));
    expect(await Promise.all(["a", "b", "c"].map((key) => memory.find(key, "s")))).toEqual(["A", "", ""]);
    expect(loads).toEqual([["a", "b", "c"]]);
  });

  test("keeps nothing of a load that failed", async () => {
    let isDown = true;
    const memory = new FreshMemory<string>({
      async load() {
        if (isDown) throw new Error("the database is down");
        return ["value"];
      },
      bytesOf: () => 1,
      mostBytes: 10,
    });
    await expect(memory.find("a", "s")).rejects.toThrow("the database is down");
    isDown = false;
    expect(await memory.find("a", "s")).toBe("value");
  });

  test("forgets what was loaded longest ago once it holds too many bytes", async () => {
    const { memory } = memoryOf(new Map(["a", "b", "c"].map((key) => [key, "four"])), 8);
    for (const key of ["a", "b", "c"]) await memory.find(key, "s");
    expect(["a", "b", "c"].map((key) => memory.known(key, "s"))).toEqual([undefined, "four", "four"]);
  });
});
