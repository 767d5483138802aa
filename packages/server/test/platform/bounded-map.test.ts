import fc from "fast-check";
import { expect, test } from "vitest";
import { BoundedMap } from "../../src/platform/bounded-map.js";

test("a bounded map never holds more bytes than it may, and forgets what was set for the longest time", () => {
  const set = fc.tuple(fc.constantFrom("a", "b", "c", "d"), fc.nat(12));
  fc.assert(
    fc.property(fc.array(set), (sets) => {
      const map = new BoundedMap<number>(10);
      const order: string[] = [];
      for (const [key, bytes] of sets) {
        map.set(key, bytes, bytes);
        order.splice(order.includes(key) ? order.indexOf(key) : order.length, 1);
        order.push(key);
        const held = order.filter((each) => map.get(each) !== undefined);
        expect(map.bytes).toBe(held.reduce((sum, each) => sum + (map.get(each) ?? 0), 0));
        expect(map.bytes).toBeLessThanOrEqual(10);
        // What is left is what was set last.
        expect(held).toEqual(order.slice(order.length - held.length));
      }
    }),
  );
});

test("a value that is larger than the whole is not held, and takes nothing with it once it is replaced", () => {
  const map = new BoundedMap<string>(10);
  map.set("a", "large", 11);
  expect([map.get("a"), map.bytes]).toEqual([undefined, 0]);
  map.set("a", "small", 10);
  map.clear();
  expect([map.get("a"), map.bytes]).toEqual([undefined, 0]);
});
