import { atEnd } from "@curtail/testing/at-end";
import { expect, test } from "vitest";
import type { BackupState } from "../../../src/backup/domain/backup-state.js";
import { DailyBackup } from "../../../src/backup/worker/daily-backup.js";
import { fakeClock } from "../../support/fake-clock.js";

test("that a backup was begun is stored before it is made, and whoever is stopped meanwhile leaves what was stored before", async () => {
  const clock = fakeClock();
  clock.set(new Date("2026-03-02T02:31:00Z"));
  const yesterday = new Date("2026-03-01T02:31:00Z");
  const before: BackupState = { madeAt: yesterday, triedAt: yesterday, failure: null, directory: "/backups" };
  let stored = before;
  let seen: BackupState | null = null;
  const daily = new DailyBackup({
    clock,
    atMinutes: 150,
    directory: "/backups",
    lock: { isHeld: async () => true, release: async () => {} },
    state: {
      find: async () => stored,
      async save(state) {
        stored = state;
      },
    },
    make: (_now, asked) =>
      new Promise((_resolve, reject) => {
        seen = stored;
        asked.addEventListener("abort", () => reject(asked.reason));
      }),
    prune: async () => {},
    log: { error: () => {}, info: () => {} },
  });
  daily.start();
  atEnd(() => daily.stop());
  await expect.poll(() => seen).toEqual({ ...before, triedAt: clock.now() });
  await daily.stop();
  expect(stored).toEqual(before);
});
