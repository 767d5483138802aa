import { beforeEach, expect, test } from "vitest";
import { type DispatchRead, ReadRecorder } from "../../../src/notification/operations/record-reads.js";

let written: Array<readonly DispatchRead[]>;
let recorder: ReadRecorder;
let first: DispatchRead[];

/** Another process has recorded those of dispatch 7. */
const add = async (reads: readonly DispatchRead[]): Promise<readonly DispatchRead[]> => {
  written.push(reads);
  return reads.filter(({ dispatchId }) => dispatchId !== "dis_7");
};

beforeEach(() => {
  [written, first] = [[], []];
  recorder = new ReadRecorder({ add }, { error: () => {} }, (reads) => void first.push(...reads));
});

const read = (dispatch: number, modificationNumber = 0, how: DispatchRead["how"] = "polled"): DispatchRead => ({
  accountId: "acc_1",
  dispatchId: `dis_${dispatch}`,
  modificationNumber,
  how,
  at: new Date(0),
});

test("each modification is written once for each kind of read", async () => {
  for (const each of [read(1), read(1), read(1, 0, "fetched"), read(1, 1), read(1, 1)]) await recorder.record([each]);
  expect(written).toEqual([[read(1)], [read(1, 0, "fetched")], [read(1, 1)]]);
});

test("reads that come while others are being written are written together, and waited for at the end", async () => {
  for (let dispatch = 0; dispatch < 5; dispatch++) void recorder.record([read(dispatch)]);
  await Promise.resolve();
  for (let dispatch = 5; dispatch < 10; dispatch++) void recorder.record([read(dispatch)]);
  await recorder.settle();
  expect(written.map(({ length }) => length)).toEqual([5, 5]);
});

test("a hundred thousand are remembered; one more, and the oldest is written again", async () => {
  const many = Array.from({ length: 100_000 }, (_, index) => read(index));
  await recorder.record(many);
  await recorder.record(many);
  expect(written).toHaveLength(1);
  await recorder.record([read(100_000)]);
  await recorder.record([read(1)]);
  expect(written).toHaveLength(2);
  await recorder.record([read(0)]);
  expect(written).toHaveLength(3);
});

test("only first reads are told of, not those that another process has recorded", async () => {
  await recorder.record([read(6), read(7)]);
  await recorder.record([read(6), read(7)]);
  expect(first).toEqual([read(6)]);
});
