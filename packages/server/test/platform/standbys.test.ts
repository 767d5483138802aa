import { describe, expect, test } from "vitest";
import { archivingConditions, type ReplicationState, standbyConditions } from "../../src/platform/standbys.js";

const MB = 1_000_000;
const limits = { wanted: null, lagBytes: 256 * MB, slotBytes: 4096 * MB };
const standby = { name: "two", streams: true, isSynchronous: true, lagBytes: 0 };
const none: ReplicationState = { asked: "", standbys: [], slots: [], archiving: null };

const subjectsOf = (state: Partial<ReplicationState>, wanted: number | null = null): readonly string[] =>
  standbyConditions({ ...none, ...state }, { ...limits, wanted }).map(({ subject }) => subject);

describe("the alarm about standbys", () => {
  test("does not ask for a standby where nobody wants one", () => {
    expect(subjectsOf({})).toEqual([]);
    expect(subjectsOf({ standbys: [{ ...standby, isSynchronous: false }] })).toEqual([]);
  });

  test.for([
    ["two", 1],
    ["*", 1],
    ["two, three", 1],
    ["FIRST 1 (two, three)", 1],
    ["any 2 (two, three, four)", 2],
    ["2(two, three)", 2],
  ] as const)("takes `%s` of PostgreSQL for %i standbys", ([asked, count]) => {
    const standbys = Array.from({ length: count }, () => standby);
    expect(subjectsOf({ asked, standbys })).toEqual([]);
    expect(subjectsOf({ asked, standbys: standbys.slice(1) })).toEqual(["standbys"]);
  });

  test("counts only those that stream and that commits wait for", () => {
    for (const off of [{ streams: false }, { isSynchronous: false }])
      expect(subjectsOf({ asked: "two", standbys: [{ ...standby, ...off }] })).toEqual(["standbys"]);
  });

  test("is raised for one that is wanted while the database asks for none", () => {
    expect(subjectsOf({}, 1)).toEqual(["standbys"]);
    expect(subjectsOf({ asked: "two", standbys: [standby] }, 1)).toEqual([]);
  });

  test("is raised beyond the limits of the lag and of the kept log, and not at them", () => {
    const at = { ...standby, lagBytes: limits.lagBytes };
    const slot = { name: "two", keptBytes: limits.slotBytes };
    expect(subjectsOf({ standbys: [at], slots: [slot] })).toEqual([]);
    const beyond = {
      standbys: [{ ...at, lagBytes: at.lagBytes + 1 }],
      slots: [{ ...slot, keptBytes: slot.keptBytes + 1 }],
    };
    expect(subjectsOf(beyond)).toEqual(["standby two", "slot two"]);
    expect(standbyConditions({ ...none, ...beyond }, limits).map(({ message }) => message)).toEqual([
      expect.stringMatching(/two is 256 MB behind the primary.*Check its machine/),
      expect.stringMatching(/keeps 4096 MB of its log for the replication slot two.*Start the standby/),
    ]);
  });
});

test("the alarm about the archive is raised after five minutes without a piece, and says for how long", () => {
  const file = "000000010000000000000007";
  expect(archivingConditions(none)).toEqual([]);
  expect(archivingConditions({ archiving: { file, seconds: 299 } })).toEqual([]);
  const [found] = archivingConditions({ archiving: { file, seconds: 300 } });
  expect(found?.message).toMatch(/has not archived its log for 5 minutes, and last failed at 000000010000000000000007/);
});
