import { describe, expect, test } from "vitest";
import {
  type AlarmGroup,
  type AlarmGroups,
  dialled,
  groupAttendant,
  groupDetails,
  groupHeading,
  groupsHeading,
  openByDispatch,
  shelfEnds,
  shelvedWords,
} from "../../src/rules/alarm-group.js";

const now = new Date("2026-07-01T22:00:12Z");
const ZONE = "America/Chicago";

const group = (of: Partial<AlarmGroup> = {}): AlarmGroup =>
  ({
    title: "Peak relief: 30 accounts not notified",
    why: "12 emails bounced, 18 have no channel",
    at_stake_kw: 2310,
    since: "2026-07-01T21:03:00Z",
    dispatch: { id: "dis_1", start_time: "2026-07-01T21:13:00Z", end_time: "2026-07-02T00:13:00Z" },
    open: 30,
    acknowledged_at: null,
    acknowledged_by_name: null,
    assigned_to: null,
    ...of,
  }) as AlarmGroup;

const ending = (end_time: string | null, start_time = "2026-07-01T21:13:00Z") => ({
  dispatch: { id: "dis_1", start_time, end_time } as AlarmGroup["dispatch"],
});
/** As a browser of any region writes it. */
const plain = (words: string | null) => words?.replaceAll("\u00a0", " ").replaceAll(/(\d+):(\d\d)( [ap]m)?/g, "TIME");

const starting = (start: string) => plain(groupDetails(group({ why: "", ...ending(null, start) }), now, ZONE));
const ends = (end: string | null) => shelfEnds(ending(end), now, ZONE).map(({ until }) => until.slice(11, 19));
const all = (of: Partial<AlarmGroups>): AlarmGroups =>
  ({ open: 51, acknowledged: 0, groups: 3, shelved: 0, shelved_until: null, items: [], ...of }) as AlarmGroups;

describe("the words of a group", () => {
  test("say what is wrong, with the kW if there are any", () => {
    expect(groupHeading(group())).toBe("Peak relief: 30 accounts not notified, 2,310 kW");
    expect([0.5, 0.4, 0, null].map((at_stake_kw) => groupHeading(group({ at_stake_kw })).split(", ")[1])).toEqual([
      "0.5 kW",
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("say since when and why, and the end of the dispatch once it is near", () => {
    expect(plain(groupDetails(group(), now, ZONE))).toBe("Since TIME. 12 emails bounced, 18 have no channel.");
    const near = (end: string | null) => plain(groupDetails(group({ why: "", ...ending(end) }), now, ZONE));
    expect(near("2026-07-01T22:12:12Z")).toBe("Since TIME. Ends in 12 min.");
    expect(near("2026-07-01T22:30:13Z")).toBe("Since TIME.");
    expect(near("2026-07-01T22:00:12Z")).toBe("Since TIME. The dispatch is over.");
    expect(near(null)).toBe("Since TIME.");
  });

  test("say when a dispatch starts, with the day unless it is today", () => {
    expect(starting("2026-07-01T22:00:13Z")).toBe("Since TIME. Starts TIME.");
    expect(starting("2026-07-02T22:00:00Z")).toMatch(/^Since TIME\. Starts \w+ .*2.*, TIME\.$/);
  });

  test("say who is on it", () => {
    const seen = { open: 0, acknowledged_at: "2026-07-01T21:51:00Z" };
    expect(groupAttendant(group(), ZONE)).toBeNull();
    expect(groupAttendant(group({ assigned_to: "Desk 2" }), ZONE)).toBe("Assigned to Desk 2");
    expect(plain(groupAttendant(group({ ...seen, assigned_to: "Desk 2" }), ZONE))).toBe("Desk 2, TIME");
    expect(plain(groupAttendant(group({ ...seen, acknowledged_by_name: "Ana" }), ZONE))).toBe("Ana, TIME");
    expect(plain(groupAttendant(group(seen), ZONE))).toBe("Operator, TIME");
  });
});

describe("all groups", () => {
  test("are counted in the heading, those acknowledged apart", () => {
    expect(groupsHeading(all({}))).toBe("51 alarms in 3 groups");
    expect(groupsHeading(all({ open: 1, groups: 1 }))).toBe("1 alarm in 1 group");
    const one = { open: 21, acknowledged: 30, items: [group({ open: 0 })] };
    expect(groupsHeading(all(one))).toBe("21 alarms in 2 groups, 30 acknowledged");
    expect(groupsHeading(all({ ...one, open: 0 }))).toBe("No open alarms, 30 acknowledged");
  });

  test("say how many are shelved, and until when", () => {
    expect(shelvedWords(all({}), ZONE)).toBeNull();
    const until = { shelved_until: "2026-07-01T23:30:00Z" };
    expect(plain(shelvedWords(all({ shelved: 1, ...until }), ZONE))).toBe("1 shelved until TIME");
    expect(plain(shelvedWords(all({ shelved: 3, ...until }), ZONE))).toBe("3 shelved, the first until TIME");
  });

  test("are counted by dispatch", () => {
    const items = [group(), group({ open: 4 }), group({ ...ending(null), open: 0 }), group({ dispatch: null })];
    expect([...openByDispatch(all({ items }))]).toEqual([["dis_1", 34]]);
  });
});

test("a group is shelved until a round time, or the end of its dispatch if that comes within eight hours", () => {
  const timed = ["22:30:00", "23:00:00", "00:00:00", "02:00:00", "06:00:00"];
  expect(ends("2026-07-02T00:13:00Z")).toEqual(["00:13:00", ...timed]);
  expect(ends("2026-07-02T06:00:00Z")).toEqual(["06:00:00", ...timed]);
  for (const end of ["2026-07-02T06:00:01Z", "2026-07-01T22:00:12Z", null]) expect(ends(end)).toEqual(timed);
});

test("a number is dialled by its digits", () => {
  expect(dialled("+1 (512) 555-0143")).toBe("tel:+15125550143");
});
