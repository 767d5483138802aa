import { setTimeout as sleep } from "node:timers/promises";
import { atEnd } from "@curtail/testing/at-end";
import { testOffCitus } from "@curtail/testing/on-citus";
import { expect, test } from "vitest";
import { ACCOUNT, backupOf, database, read } from "../../support/backups-made.js";

const REFUSED = "backups of a distributed database are refused";

testOffCitus(REFUSED)("text with every odd character comes back as it was", async () => {
  const of = await database();
  const name = 'Ärger & Söhne\t"zwei\nZeilen" \\N \\. \u{1F50C}';
  await of.pool.query(ACCOUNT, ["acc_odd", name]);
  const { rowsOf, manifest } = await read(await backupOf(of));
  expect(rowsOf("public.accounts")).toContain('Ärger & Söhne\\t"zwei\\nZeilen" \\\\N \\\\. \u{1F50C}');
  expect(manifest.parts.find((part) => part.name === "public.accounts")?.rows).toBe(1);
});

testOffCitus(REFUSED)("a backup that is asked to stop leaves no file", async () => {
  const of = await database();
  const asked = new AbortController();
  asked.abort();
  await expect(backupOf(of, { asked: asked.signal })).rejects.toThrow(/abort/i);
});

test.each([
  ["a migration", "select pg_advisory_xact_lock(7283465)"],
  ["a table that is being changed", "lock table accounts in access exclusive mode"],
])("a backup that waits for %s ends soon when it is asked to stop", async (_what, lock) => {
  const of = await database();
  const client = await of.pool.connect();
  atEnd(async () => client.release());
  await client.query("begin");
  await client.query(lock);
  const asked = new AbortController();
  const making = backupOf(of, { asked: asked.signal });
  making.catch(() => {});
  await sleep(500);
  asked.abort();
  const abortedAt = performance.now();
  await expect(making).rejects.toThrow(/abort/i);
  expect(performance.now() - abortedAt).toBeLessThan(4000);
  await client.query("rollback");
});
