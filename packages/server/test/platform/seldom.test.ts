import { expect, test } from "vitest";
import { Seldom } from "../../src/platform/seldom.js";

/** Work that ends when it is told to, and its clock. */
const worked = () => {
  const begun: Array<(result: string | Error) => void> = [];
  let nowMs = 0;
  const seldom = new Seldom(
    () =>
      new Promise<string>((resolve, reject) => {
        begun.push((result) => (typeof result === "string" ? resolve(result) : reject(result)));
      }),
    () => nowMs,
  );
  return {
    seldom,
    begun,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
};

test("short work is done for each who asks, also at once", async () => {
  const { seldom, begun, pass } = worked();
  const both = [seldom.result(), seldom.result()];
  expect(begun).toHaveLength(2);
  pass(999);
  begun.forEach((end, nth) => end(`${nth}`));
  expect(await Promise.all(both)).toEqual(["0", "1"]);
  void seldom.result();
  expect(begun).toHaveLength(3);
});

test("long work is done once for all who ask meanwhile, and again after ten times as long", async () => {
  const { seldom, begun, pass } = worked();
  const first = seldom.result();
  pass(1500);
  const second = seldom.result();
  expect(begun).toHaveLength(1);
  pass(500);
  begun[0]?.("first");
  expect([await first, await second]).toEqual(["first", "first"]);
  pass(17_999);
  expect(await seldom.result()).toBe("first");
  expect(begun).toHaveLength(1);
  pass(1);
  expect(await seldom.result()).toBe("first");
  expect(begun).toHaveLength(2);
  begun[1]?.("second");
  await Promise.resolve();
  expect(await seldom.result()).toBe("second");
});

test("long work that nobody has asked for is waited for", async () => {
  const { seldom, begun, pass } = worked();
  const first = seldom.result();
  pass(2000);
  begun[0]?.("first");
  expect(await first).toBe("first");
  pass(40_000);
  const second = seldom.result();
  begun[1]?.("second");
  expect(await second).toBe("second");
});

test("work that fails is tried again by the next who asks", async () => {
  const { seldom, begun, pass } = worked();
  const first = seldom.result();
  pass(1500);
  const second = seldom.result();
  begun[0]?.(new Error("away"));
  await expect(first).rejects.toThrow("away");
  await expect(second).rejects.toThrow("away");
  const third = seldom.result();
  begun[1]?.("here");
  expect(await third).toBe("here");
});

test("whoever waits for longer than eight seconds gets the last result, or none", async () => {
  const { seldom, begun, pass } = worked();
  expect(await seldom.result()).toBeNull();
  pass(9000);
  begun[0]?.("first");
  await Promise.resolve();
  pass(180_000);
  expect(await seldom.result()).toBe("first");
  expect(begun).toHaveLength(2);
}, 30_000);
