import { operator, type ReplyOf } from "@curtail/contract";
import { alarmKinds, alarmWords } from "@curtail/contract/lists/alarms";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { groupsOf, type Raised, raise, unwatched } from "../../support/alarm-groups.js";
import { ahead } from "../../support/dispatching.js";
import { type Running, running } from "../../support/running.js";

let service: Running;
beforeAll(async () => {
  service = await running({}, { unwatched });
});

/** Alarms name dispatches in their subject or message, or neither. */
const named = ["dis_1", "dis_2", "ven_1 dis_1", "dis_2 ven_1", "mail_1", "/var/lib/curtail", "site_dis_1"];
const alarm = fc.record({
  // The last is one of a newer version.
  kind: fc.constantFrom(...alarmKinds, "grid_down"),
  subject: fc.constantFrom(...named),
  message: fc.constantFrom(
    "something is wrong",
    "was not notified of dispatch dis_2; phone Ana",
    "of dis_1, then dis_2",
  ),
});
const alarms = fc.uniqueArray(alarm, {
  minLength: 1,
  maxLength: 40,
  selector: ({ kind, subject }) => `${kind} ${subject}`,
});

/** As decision 116 says: a dispatch and a cause; without a dispatch, or a cause, the kind. */
const expected = ({ kind, subject = "", message = "" }: Raised): string => {
  const dispatch = /\bdis_\w+/.exec(`${subject} ${message}`)?.[0];
  return dispatch === undefined ? kind : `${alarmWords(kind)?.cause ?? kind}.${dispatch}`;
};

type Sizes = Readonly<Record<string, number>>;

const sizes = (ids: readonly string[]): Sizes => {
  const counted: Record<string, number> = {};
  for (const id of ids) counted[id] = (counted[id] ?? 0) + 1;
  return counted;
};

/** Groups with their number of alarms, as each interface that groups alarms counts them. */
const grouped = async (): Promise<Readonly<Record<string, Sizes>>> => {
  const [{ items: groups }, { items: all }, { alarms: shift }] = await Promise.all([
    groupsOf(service),
    service.made(operator.listAlarms, { query: { limit: 100 } }),
    service.made(operator.draftShiftReport, { query: { from_time: ahead(service, { minutes: -1 }) } }),
  ]);
  const listed = await Promise.all(
    groups.map(({ id }) => service.made(operator.listAlarms, { query: { group: id, limit: 100 } })),
  );
  return {
    groups: Object.fromEntries(groups.map(({ id, alarms }) => [id, alarms])),
    alarms: sizes(all.map((each) => each.group_id)),
    lists: Object.fromEntries(groups.map(({ id }, index) => [id, listed[index]?.items.length ?? 0])),
    shift: Object.fromEntries(shift.items.map((each) => [idIn(each), each.alarms])),
  };
};

const idIn = ({ cause, dispatch_id }: ReplyOf<typeof operator.draftShiftReport>["alarms"]["items"][number]): string =>
  dispatch_id === null ? `${cause}` : `${cause}.${dispatch_id}`;

/** What does not group alarms as they are expected. */
const differing = async (raised: readonly Raised[]): Promise<readonly string[]> => {
  const should = sizes(raised.map(expected));
  return Object.entries(await grouped()).flatMap(([name, found]) => {
    const ids = [...new Set([...Object.keys(should), ...Object.keys(found)])];
    return ids.filter((id) => should[id] !== found[id]).map((id) => `${name}: ${id}`);
  });
};

const standing = async (raised: readonly Raised[]): Promise<void> => {
  await service.database.pool.query("delete from alarms");
  await raise(service, raised);
  service.clock.advance({ seconds: 1 });
};

test("alarms of every kind are in the same group in lists, in groups and in shift reports", async () => {
  for (const subject of ["dis_1", "mail_1"]) {
    const each = [...alarmKinds, "grid_down"].map((kind) => ({ kind, subject }));
    await standing(each);
    expect(await differing(each)).toEqual([]);
  }
  await fc.assert(
    fc.asyncProperty(alarms, async (raised) => {
      await standing(raised);
      expect(await differing(raised)).toEqual([]);
    }),
    { numRuns: 25 },
  );
});

test("an alarm in another group is noticed in each of them", async () => {
  await standing([{ kind: "notice_failed", subject: "dis_1" }]);
  const faults = await differing([{ kind: "ven_opted_out", subject: "dis_1" }]);
  expect(faults.toSorted()).toEqual(
    ["alarms", "groups", "lists", "shift"].flatMap((name) => [
      `${name}: not_notified.dis_1`,
      `${name}: opted_out.dis_1`,
    ]),
  );
});
