import { expect, onTestFinished, test } from "vitest";
import type { LoggedRequests } from "../../../src/access/domain/request-log.js";
import { type AnsweredRequest, RequestLog } from "../../../src/access/operations/log-requests.js";
import { fakeClock } from "../../support/fake-clock.js";

interface Options {
  readonly fails?: () => boolean;
  readonly limits?: { readonly sums: number; readonly errors: number };
}

/** A log that writes when it is stopped, or once a second. */
const logging = ({ fails = () => false, limits = { sums: 100, errors: 100 } }: Options = {}) => {
  const clock = fakeClock();
  clock.set(new Date("2026-07-01T12:00:30Z"));
  const written: LoggedRequests[][] = [];
  const warnings: string[] = [];
  const archive = {
    async add(requests: readonly LoggedRequests[]) {
      if (fails()) throw new Error("the database is away");
      written.push([...requests]);
    },
    removeBefore: async () => 0,
  };
  const log = new RequestLog(archive, clock, { warn: (_details, message) => void warnings.push(message) }, limits);
  onTestFinished(() => log.stop());
  return { log, clock, written, warnings };
};

const good: AnsweredRequest = {
  accountId: "acc_1",
  keyId: "key_1",
  environment: "production",
  method: "GET",
  route: "/v/dispatches/{id}",
  status: 200,
  durationMs: 2,
  path: () => "/v/dispatches/dis_1",
  message: null,
};
const bad: AnsweredRequest = { ...good, status: 404, message: "No such dispatch" };

test("requests of a minute that succeed alike are one row, with how long they took", async () => {
  const { log, clock, written } = logging();
  log.note(good);
  log.note({ ...good, durationMs: 6 });
  log.note({ ...good, method: "POST" });
  log.note({ ...good, keyId: "key_2" });
  clock.advance({ seconds: 30 });
  log.note(good);
  await log.stop();
  const row = { path: "/v/dispatches/{id}", message: null, isSum: true, count: 1, totalMs: 2, maxMs: 2 };
  const first = new Date("2026-07-01T12:00:00Z");
  expect(written).toHaveLength(1);
  expect(written[0]).toMatchObject([
    { ...row, keyId: "key_1", at: first, method: "GET", count: 2, totalMs: 8, maxMs: 6 },
    { ...row, keyId: "key_1", at: new Date("2026-07-01T12:01:00Z"), method: "GET" },
    { ...row, keyId: "key_1", at: first, method: "POST" },
    { ...row, keyId: "key_2", at: first },
  ]);
});

test("60 errors of an account and minute are kept one by one; the next are counted, with the last message", async () => {
  const { log, clock, written } = logging();
  for (let count = 0; count < 62; count++) log.note({ ...bad, message: `No such dispatch, ${count}` });
  log.note({ ...bad, accountId: "acc_2", keyId: "key_2" });
  clock.advance({ minutes: 1 });
  log.note(bad);
  await log.stop();
  const [rows = []] = written;
  const single = rows.filter(({ isSum }) => !isSum);
  expect(single.filter(({ accountId }) => accountId === "acc_1")).toHaveLength(61);
  expect(single.filter(({ accountId }) => accountId === "acc_2")).toHaveLength(1);
  expect(single[59]).toMatchObject({ path: "/v/dispatches/dis_1", message: "No such dispatch, 59", count: 1 });
  const counted = { path: "/v/dispatches/{id}", status: 404, message: "No such dispatch, 61", count: 2 };
  expect(rows.filter(({ isSum }) => isSum)).toMatchObject([counted]);
});

test("memory is bounded: what is beyond is told of and left out", async () => {
  const { log, written, warnings } = logging({ limits: { sums: 2, errors: 1 } });
  for (const keyId of ["key_1", "key_2", "key_3", "key_1"]) log.note({ ...good, keyId });
  for (const accountId of ["acc_1", "acc_2"]) log.note({ ...bad, accountId });
  await log.stop();
  expect(written[0]?.map(({ keyId, count, status }) => [keyId, count, status])).toEqual([
    ["key_1", 1, 404],
    ["key_1", 2, 200],
    ["key_2", 1, 200],
  ]);
  expect(warnings).toEqual([expect.stringMatching(/the request log is overloaded/)]);
});

test("what cannot be written is told of, and the next is written", async () => {
  let isAway = true;
  const { log, written, warnings } = logging({ fails: () => isAway });
  log.note(good);
  await expect.poll(() => warnings).toEqual([expect.stringMatching(/could not be logged/)]);
  isAway = false;
  log.note(good);
  await log.stop();
  expect(written).toMatchObject([[{ count: 1 }]]);
});

test("nothing is written where nothing came", async () => {
  const { log, written } = logging();
  await log.stop();
  expect(written).toEqual([]);
});
