import { type BodyOf, operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { called, groupOf, groupsOf, raise, unnotified, unwatched } from "../../support/alarm-groups.js";
import { alarms } from "../../support/alarms.js";
import { ahead } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { type Running, running } from "../../support/running.js";

let service: Running;
beforeAll(async () => {
  service = await running({}, { unwatched });
});

/** A dispatch whose accounts were not notified. */
const flooded = async (accounts: number) => {
  const { id, participants } = await called(service, Array(accounts).fill(100));
  const raised = await raise(service, unnotified(id, participants));
  const group = `not_notified.${id}`;
  const params = { params: { id: group } };
  return { id, participants, raised, group, ...params };
};

const acknowledge = (params: { readonly id: string }, body: BodyOf<typeof operator.acknowledgeAlarmGroup> = {}) =>
  service.made(operator.acknowledgeAlarmGroup, { params, body });

const audited = async (subject: string) =>
  (await service.made(operator.listAudit, { query: { subject } })).items.flatMap((each) =>
    each.subject_kind === "alarm_group" ? [{ action: each.action, after: each.after }] : [],
  );

describe("acknowledging a group", () => {
  test("acknowledges what is open, but not what joins it later, and clears nothing", async () => {
    const { id, participants, group, params } = await flooded(2);
    expect(await acknowledge(params)).toEqual({ group_id: group, at: ahead(service, {}), alarms: 2 });
    expect(await acknowledge(params)).toMatchObject({ alarms: 0 });
    expect(await groupOf(service, group)).toMatchObject({
      alarms: 2,
      open: 0,
      acknowledged_at: ahead(service, {}),
      acknowledged_by: "operator",
    });
    await raise(service, unnotified(id, participants.slice(0, 1)));
    expect(await groupOf(service, group)).toMatchObject({ alarms: 3, open: 1 });
    expect((await audited(group)).map(({ action }) => action)).toEqual(["alarm_group.acknowledge"]);
  });

  test("leaves out what was raised after the page was shown", async () => {
    const { id, participants, group, params } = await flooded(1);
    const { as_of } = await groupsOf(service);
    service.clock.advance({ seconds: 1 });
    await raise(service, unnotified(id, participants));
    expect(await acknowledge(params, { raised_by: as_of })).toMatchObject({ alarms: 1 });
    expect(await groupOf(service, group)).toMatchObject({ alarms: 2, open: 1 });
  });

  test("of some of its alarms leaves the others", async () => {
    const { raised, group, params } = await flooded(3);
    expect(await acknowledge(params, { alarm_ids: [raised[1] ?? "", "alm_0"] })).toMatchObject({ alarms: 1 });
    expect(await groupOf(service, group)).toMatchObject({ alarms: 3, open: 2 });
  });

  test("can be taken back, without the acknowledgements of others", async () => {
    const { raised, group, params } = await flooded(2);
    await acknowledge(params, { alarm_ids: [raised[0] ?? ""] });
    service.clock.advance({ seconds: 1 });
    const { at } = await acknowledge(params);
    const back = () => service.made(operator.unacknowledgeAlarmGroup, { params, body: { acknowledged_at: at } });
    expect(await back()).toMatchObject({ alarms: 1 });
    expect(await back()).toMatchObject({ alarms: 0 });
    expect(await groupOf(service, group)).toMatchObject({ alarms: 2, open: 1 });
    expect((await audited(group))[0]).toMatchObject({
      action: "alarm_group.unacknowledge",
      after: { alarms: 1, alarm_ids: [raised[1]], acknowledged_at: null },
    });
  });

  test("by two people at once is done once", async () => {
    const { group, params } = await flooded(5);
    const both = await Promise.all([acknowledge(params), acknowledge(params)]);
    expect(both.map((each) => each.alarms).toSorted((a, b) => a - b)).toEqual([0, 5]);
    expect(await audited(group)).toHaveLength(1);
  });

  test("does not end an alarm that a person then takes care of by itself", async () => {
    const { raised, params } = await flooded(1);
    await acknowledge(params);
    const [id = ""] = raised;
    expect(await service.made(operator.acknowledgeAlarm, { params: { id } })).toMatchObject({
      cleared_at: expect.any(String),
    });
  });
});

describe("assigning a group", () => {
  test("says who takes care of its alarms, and of those that join it, nobody", async () => {
    const { id, participants, group, params } = await flooded(2);
    const assign = (assigned_to: string | null) =>
      service.made(operator.assignAlarmGroup, { params, body: { assigned_to } });
    expect(await assign(" Desk 2 ")).toMatchObject({ alarms: 2 });
    expect(await groupOf(service, group)).toMatchObject({ assigned_to: "Desk 2" });
    await raise(service, unnotified(id, participants.slice(0, 1)));
    expect(await groupOf(service, group)).toMatchObject({ assigned_to: null });
    expect(await assign(null)).toMatchObject({ alarms: 2 });
    const blank = await service.operator(operator.assignAlarmGroup, { params, body: { assigned_to: "  " } });
    expectError(blank, 400, /assigned_to is blank/);
  });
});

const shelve = (params: { readonly id: string }, until: string) =>
  service.made(operator.shelveAlarmGroup, { params, body: { until } });

describe("shelving a group", () => {
  test("leaves its alarms out until a time, when they return by themselves", async () => {
    const { group, params, raised } = await flooded(2);
    const before = await groupsOf(service);
    const until = ahead(service, { minutes: 30 });
    expect(await shelve(params, until)).toMatchObject({ alarms: 2 });
    expect(await groupOf(service, group)).toBeUndefined();
    expect(await groupsOf(service)).toMatchObject({
      open: before.open - 2,
      groups: before.groups - 1,
      shelved: 2,
      shelved_until: until,
    });
    expect((await service.made(operator.getOverview, {})).alarms_open).toBe(before.open - 2);
    expect((await alarms(service, "open")).filter((each) => raised.includes(each.id))).toEqual([]);
    expect((await alarms(service, "shelved")).map((each) => [each.id, each.group_id, each.shelved_until])).toEqual(
      raised.toReversed().map((id) => [id, group, until]),
    );
    expect(await acknowledge(params)).toMatchObject({ alarms: 0 });
    service.clock.advance({ minutes: 30 });
    expect(await groupsOf(service)).toMatchObject({ open: before.open, shelved: 0, shelved_until: null });
  });

  test("shelves none that joins it, and returns at once what is asked for", async () => {
    const { id, participants, group, params } = await flooded(1);
    await shelve(params, ahead(service, { hours: 1 }));
    await raise(service, unnotified(id, participants));
    expect(await groupOf(service, group)).toMatchObject({ alarms: 1, shelved: 1 });
    expect(await service.made(operator.unshelveAlarmGroup, { params, body: {} })).toMatchObject({ alarms: 1 });
    expect(await groupOf(service, group)).toMatchObject({ alarms: 2, shelved: 0 });
  });

  test("is limited to a day", async () => {
    const { params } = await flooded(1);
    const refused = async (until: string) => service.operator(operator.shelveAlarmGroup, { params, body: { until } });
    expectError(await refused(ahead(service, {})), 400, /until is past/);
    expectError(await refused(ahead(service, { hours: 24, seconds: 1 })), 400, /more than 24 hours from now/);
    expect(await shelve(params, ahead(service, { hours: 24 }))).toMatchObject({ alarms: 1 });
  });
});

test("an unknown group, or one without alarms that stand, is not found", async () => {
  for (const id of ["not_notified.dis_0", "disk_low", "No group"])
    expectError(
      await service.operator(operator.acknowledgeAlarmGroup, { params: { id }, body: {} }),
      404,
      /No such alarm group/,
    );
});
