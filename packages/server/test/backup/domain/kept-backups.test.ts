import fc from "fast-check";
import { expect, test } from "vitest";
import { backupConditions, begunState, isDue } from "../../../src/backup/domain/backup-state.js";
import { backupNameAt, latestTurn, madeAtOf, outdatedBackups } from "../../../src/backup/domain/kept-backups.js";

const seconds = fc.integer({ min: 0, max: 2_000_000_000 });
const DAY = 86_400;
const at = (second: number): Date => new Date(second * 1000);

test("of any files, only daily backups older than the days to keep are deleted, and never the newest", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(seconds, { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 60 }),
      seconds,
      (moments, days, now) => {
        const names = moments.map((moment) => backupNameAt(at(moment)));
        const strangers = ["notes.txt", "curtail-yesterday.backup", `${names[0]}.part`];
        const deleted = outdatedBackups([...names, ...strangers], days, at(now));
        const newest = Math.max(...moments);
        const old = moments.filter((moment) => moment !== newest && now - moment > days * DAY);
        expect([...deleted].sort()).toEqual(old.map((moment) => backupNameAt(at(moment))).sort());
      },
    ),
  );
});

test("a backup's name tells when it was made", () => {
  fc.assert(
    fc.property(seconds, (moment) => {
      expect(madeAtOf(backupNameAt(at(moment)))).toEqual(at(moment));
    }),
  );
});

test("the latest turn is at its time of day, and within the last day", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1439 }), seconds, (minutes, now) => {
      const turn = latestTurn(minutes, at(now));
      const ago = now - turn.getTime() / 1000;
      expect(turn.getUTCHours() * 60 + turn.getUTCMinutes()).toBe(minutes);
      expect(ago >= 0 && ago < DAY).toBe(true);
    }),
  );
});

const turn = new Date("2026-11-27T02:30:00Z");
const later = (hours: number): Date => new Date(turn.getTime() + hours * 3_600_000);

test.each([
  ["at the first start", null, 5, true],
  [
    "when the newest is older than the turn",
    { madeAt: later(-24), triedAt: later(-24), failure: null, directory: "/backups" },
    0,
    true,
  ],
  ["once it is made", { madeAt: later(0.1), triedAt: later(0), failure: null, directory: "/backups" }, 5, false],
  [
    "soon after a failure",
    { madeAt: later(-24), triedAt: later(0), failure: "disk", directory: "/backups" },
    0.5,
    false,
  ],
  [
    "while it is made",
    begunState({ madeAt: later(-24), triedAt: later(-24), failure: null, directory: "/backups" }, later(0), "/backups"),
    0.5,
    false,
  ],
  ["an hour after its process was killed", begunState(null, later(0), "/backups"), 1, true],
  [
    "when the clock was set back",
    { madeAt: later(48), triedAt: later(48), failure: null, directory: "/backups" },
    1,
    true,
  ],
  [
    "by a clock that differs little",
    { madeAt: later(0.005), triedAt: later(0.005), failure: null, directory: "/backups" },
    0,
    false,
  ],
  [
    "an hour after a failure",
    { madeAt: later(-24), triedAt: later(0), failure: "disk", directory: "/backups" },
    1,
    true,
  ],
])("a daily backup is due or not: %s", (_when, state, hours, due) => {
  expect(isDue(state, turn, later(hours))).toBe(due);
});

test("the alarm says why the last backup failed, or that the newest is old, and is over with the next one", () => {
  const made = { madeAt: later(0), triedAt: later(0), failure: null, directory: "/backups" };
  expect(backupConditions(null, later(100))).toEqual([]);
  expect(backupConditions(made, later(35))).toEqual([]);
  const [old] = backupConditions(made, later(37));
  expect([old?.kind, old?.subject, old?.message]).toEqual([
    "backup_missing",
    "/backups",
    expect.stringContaining("36 hours"),
  ]);
  const [failed] = backupConditions({ ...made, failure: "no space left on device" }, later(1));
  expect(failed?.message).toContain("no space left on device");
  const ahead = { madeAt: later(48), triedAt: later(48), failure: null, directory: "/backups" };
  expect(backupConditions(ahead, later(0))).toHaveLength(1);
});

test("a backup whose process is killed again and again raises an alarm, one that is being made for the first time none", () => {
  const first = begunState(null, later(0), "/backups");
  expect(backupConditions(first, later(0.1))).toEqual([]);
  const second = begunState(first, later(1), "/backups");
  const [killed] = backupConditions(second, later(1.1));
  expect(killed?.message).toContain("its process ended before it was done");
  const done = { madeAt: later(1), triedAt: later(1), failure: null, directory: "/backups" };
  expect(begunState(done, later(24), "/backups")).toEqual({
    madeAt: later(1),
    triedAt: later(24),
    failure: null,
    directory: "/backups",
  });
});
