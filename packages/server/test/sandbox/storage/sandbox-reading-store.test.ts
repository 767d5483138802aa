import { expect, test } from "vitest";
import { openSandboxPool } from "../../../src/platform/database/database.js";
import { sandboxReadingStore } from "../../../src/sandbox/storage/sandbox-reading-store.js";
import { running } from "../../support/running.js";

const service = await running();
const { accountId } = await service.newParticipant();
const pool = openSandboxPool(service.database.servicePool, () => {});
const readings = sandboxReadingStore(pool);
const at = (minutes: number): Date => new Date(Date.UTC(2026, 0, 1) + minutes * 60_000);
const point = (minutes: number, powerKw = 1) => ({ siteId: "site", atMs: at(minutes).getTime(), powerKw });
const all = { from: at(-1), until: at(100_000), sentBy: at(100_000) };

test("readings are kept until they are forgotten, whatever is sent later; the last of a timestamp counts", async () => {
  await readings.hold(accountId, [point(0), point(1)], at(1));
  await readings.hold(accountId, [point(1, 7), point(500)], at(500));
  const held = async (within = all) => (await readings.of(accountId, within)).get("site") ?? [];
  expect(await held()).toEqual(
    [0, 1, 500].map((minute) => ({ atMs: at(minute).getTime(), powerKw: minute === 1 ? 7 : 1 })),
  );
  expect(await held({ ...all, from: at(0), until: at(1) })).toHaveLength(1);
  expect(await held({ ...all, sentBy: at(499) })).toHaveLength(1);
  expect(await readings.accounts()).toEqual([accountId]);
  expect(await readings.forget(accountId, at(1))).toBe(true);
  expect(await held()).toHaveLength(1);
  expect(await readings.forget(accountId, at(500))).toBe(false);
  expect(await readings.accounts()).toEqual([]);
});

test("an account holds 50,000 at most; further ones are left out", async () => {
  for (let upload = 0; upload < 6; upload++)
    await readings.hold(
      accountId,
      Array.from({ length: 9000 }, (_, index) => point(upload * 9000 + index)),
      at(0),
    );
  expect((await readings.of(accountId, all)).get("site")).toHaveLength(50_000);
  await readings.forget(accountId, at(100_000));
  await pool.end();
});
