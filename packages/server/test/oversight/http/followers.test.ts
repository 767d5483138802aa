import { operator } from "@curtail/contract";
import { beforeAll, expect, test } from "vitest";
import { PROJECTION } from "../../../src/openadr-3/domain/projection.js";
import { expectError } from "../../support/expect-error.js";
import { type Running, running } from "../../support/running.js";

let service: Running;
beforeAll(async () => {
  service = await running();
});

const projection = async () =>
  (await service.made(operator.listFollowers)).items.find(({ name }) => name === PROJECTION);

const metric = async (name: string): Promise<string | undefined> =>
  (await (await fetch(`${service.operatorUrl}/metrics`)).text()).split("\n").find((line) => line.startsWith(name));

test("a follower is listed with what it could not follow, which is retried at once if asked for", async () => {
  await expect.poll(projection).toMatchObject({ waiting_since: null, waiting: 0, faults: [] });
  // Of an account that exists no more: following it changes nothing.
  await service.database.pool.query(
    `insert into follower_faults (follower, seq, environment, at, kind, subject, failures, error, since, next_attempt_at)
     values ($1, 1, 'production', $2, 'account.change', 'acc_gone', 5, 'broken', $2, $3),
       ($1, 2, 'production', $2, 'account.change', 'acc_gone', 0, null, $2, null)`,
    [PROJECTION, service.clock.now(), new Date(service.clock.now().getTime() + 300_000)],
  );
  expect(await projection()).toMatchObject({
    waiting: 2,
    faults: [{ subject: "acc_gone", kind: "account.change", failures: 5, error: "broken" }],
  });
  const { items: alarms } = await service.made(operator.listAlarms, { query: { state: "open" } });
  expect(alarms.every(({ kind }) => kind !== "follower_behind")).toBe(true);
  service.clock.advance({ seconds: 5 });
  await expect
    .poll(async () => (await service.made(operator.listAlarms, { query: { state: "open" } })).items)
    .toMatchObject([{ kind: "follower_stuck", subject: `${PROJECTION} acc_gone` }]);
  await service.made(operator.retryFollower, { params: { name: PROJECTION } });
  await expect.poll(projection).toMatchObject({ waiting: 0, faults: [] });
  service.clock.advance({ seconds: 5 });
  await expect
    .poll(async () => (await service.made(operator.listAlarms, { query: { state: "open" } })).items)
    .toEqual([]);
});

test("a follower that does not exist cannot be retried", async () => {
  expectError(await service.operator("POST", "/followers/nobody/retry"), 404, /follower/);
});

test("metrics tell how late each follower is, and what it could not follow", async () => {
  await expect
    .poll(() => metric(`curtail_follower_lag_seconds{follower="${PROJECTION}"}`))
    .toBe(`curtail_follower_lag_seconds{follower="${PROJECTION}"} 0`);
  expect(await metric(`curtail_follower_faults{follower="${PROJECTION}"}`)).toMatch(/ 0$/);
});
