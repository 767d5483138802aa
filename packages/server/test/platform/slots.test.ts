import { expect, test } from "vitest";
import { Slots } from "../../src/platform/slots.js";

const starting = (slots: Slots) => {
  const started: string[] = [];
  const ends: Array<() => void> = [];
  const start = (name: string): Promise<void> =>
    slots.run(async () => {
      started.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
    });
  return { started, ends, start };
};

test("a lane lets so many begin at a time, the others in their order once one has ended", async () => {
  const { started, ends, start } = starting(new Slots(2, 60_000));
  const all = ["a", "b", "c"].map(start);
  expect(started).toEqual(["a", "b"]);
  ends[1]?.();
  await all[1];
  await expect.poll(() => started).toEqual(["a", "b", "c"]);
  for (const end of ends) end();
  await Promise.all(all);
});

test("what takes long leaves its place to the next, and goes on", async () => {
  const { started, ends, start } = starting(new Slots(1, 200));
  const both = ["a", "b"].map(start);
  expect(started).toEqual(["a"]);
  await expect.poll(() => started).toEqual(["a", "b"]);
  for (const end of ends) end();
  await Promise.all(both);
});
