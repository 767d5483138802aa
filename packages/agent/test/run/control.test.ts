import { expect, test } from "vitest";
import { Control } from "../../src/run/control.js";
import type { StoredState } from "../../src/run/state-file.js";

/** Control that steps once a second, with a disk that may be full. */
const controlled = () => {
  const disk = { isFull: false, stored: [] as StoredState[] };
  let second = 0;
  const clock = { now: () => 1e12 + second * 1000, monotonic: () => second * 1000 };
  const store = (state: StoredState) => {
    if (disk.isFull) throw new Error("ENOSPC: no space left on device, write");
    disk.stored.push(state);
  };
  const control = new Control([], clock, store, null);
  const run = (seconds: number) => {
    for (const until = second + seconds; second < until; second++) control.step();
  };
  return { control, disk, run };
};

test("a state that does not change is stored once a minute", () => {
  const { disk, run } = controlled();
  run(181);
  expect(disk.stored).toHaveLength(4);
});

test("a full disk is reported and does not end control; the state is stored once there is room", () => {
  const { control, disk, run } = controlled();
  disk.isFull = true;
  run(5);
  expect(control.fault).toBe("ENOSPC: no space left on device, write");
  disk.isFull = false;
  run(1);
  expect(control.fault).toBeNull();
  expect(disk.stored).toHaveLength(1);
});
