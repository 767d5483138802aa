import { beforeEach, expect, test, vi } from "vitest";
import type { Caller } from "../../../src/access/operations/caller.js";
import type { Dispatch } from "../../../src/dispatch/domain/dispatch.js";
import { type DispatchRead, ReadRecorder, recordPoll } from "../../../src/notification/operations/record-reads.js";
import { dispatchWith } from "../../support/domain-forms.js";

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

const poll = (accountId: string, list: readonly Dispatch[]): Promise<void> | null => {
  const caller = {
    accountId,
    actor: "key:key_1",
    environment: "production",
    sees: "own sites",
  } as const satisfies Caller;
  return recordPoll({ reads: recorder, polls: { note() {} }, clock: { now: () => new Date(0) } }, caller, list);
};

test("a list that was recorded is not gone through again by its account; one of another account or with a change is", async () => {
  const list = [dispatchWith()];
  await poll("acc_1", list);
  expect(poll("acc_1", list)).toBeNull();
  const looks = vi.spyOn(recorder, "isRecorded");
  expect(poll("acc_1", list)).toBeNull();
  expect(looks).not.toHaveBeenCalled();
  await poll("acc_2", list);
  await poll("acc_1", [dispatchWith({ modificationNumber: 1 })]);
  expect(written.flat().map(({ accountId, modificationNumber }) => [accountId, modificationNumber])).toEqual([
    ["acc_1", 0],
    ["acc_2", 0],
    ["acc_1", 1],
  ]);
});

test("a list that could not be recorded is written with the next poll", async () => {
  const refusing = vi.fn(add).mockRejectedValueOnce(new Error("no database"));
  recorder = new ReadRecorder({ add: refusing }, { error: () => {} });
  const list = [dispatchWith()];
  for (let polls = 0; polls < 4; polls++) await poll("acc_1", list);
  expect([refusing.mock.calls.length, written.length]).toEqual([2, 1]);
});
