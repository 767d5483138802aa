import { beforeAll, expect, test, vi } from "vitest";
import { untilAlarms } from "../../support/alarms.js";
import { ahead } from "../../support/dispatching.js";
import { intervalsBetween, uploadIntervals } from "../../support/measuring.js";
import { firstOf } from "../../support/metering.js";
import { type Running, running } from "../../support/running.js";

const unfolded = { kind: "readings_unfolded", id: "log", state: "open" } as const;

let service: Running;

beforeAll(async () => {
  service = await running({ CURTAIL_FOLD_AFTER: "60" });
  // As if they had been appended before.
  await service.database.pool.query("alter table telemetry_log alter at set default now() - interval '366 seconds'");
});

const isFolded = async (): Promise<boolean> => {
  service.clock.advance({ seconds: 10 });
  const { rows } = await service.database.pool.query("select from telemetry_log");
  return rows.length === 0;
};

test("a transaction that stays open delays the fold, which raises an alarm until it has ended", async () => {
  const anna = await service.newParticipant();
  const client = await service.database.pool.connect();
  await client.query("begin");
  await client.query("select pg_current_xact_id()");
  const between = [ahead(service, { minutes: -2 }), ahead(service, { minutes: -1 })] as const;
  await uploadIntervals(
    anna,
    firstOf(anna).meterId,
    intervalsBetween(between, 30, () => 7),
  );
  const [alarm] = await untilAlarms(service, unfolded, 1);
  expect(alarm?.message).toMatch(/^The oldest reading of the log was appended 6 minutes ago\./);
  await client.query("rollback");
  client.release();
  // Transactions of other databases delay folds, too.
  await vi.waitUntil(isFolded, { timeout: 20_000, interval: 200 });
  await untilAlarms(service, unfolded, 0);
});
