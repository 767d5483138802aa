import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { called, groupOf, groupsOf, raise, unnotified, unwatched } from "../../support/alarm-groups.js";
import { ahead } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { type Running, running } from "../../support/running.js";

let service: Running;
beforeAll(async () => {
  service = await running({}, { unwatched });
});

describe("alarms of a dispatch", () => {
  test("with the same cause are one group, with the kW that are at stake and whom to call first", async () => {
    const { id, participants } = await called(service, [40, 410, 90]);
    const [first, second] = participants;
    await service.made(operator.createContact, {
      params: { id: second?.accountId ?? "" },
      body: { name: "Ana Lopez", email: "ana@norrowbank.example", phone: "+15125550143" },
    });
    await raise(service, unnotified(id, participants.slice(0, 1), "bounced"));
    service.clock.advance({ seconds: 30 });
    await raise(service, [
      ...unnotified(id, participants.slice(1)),
      {
        kind: "openadr3_undelivered",
        subject: `oac_1 ${id}`,
        accountId: first?.accountId ?? null,
        reason: "callback_failed",
      },
    ]);
    const group = await groupOf(service, `not_notified.${id}`);
    expect(group).toEqual({
      id: `not_notified.${id}`,
      cause: "not_notified",
      kind: "notice_failed",
      title: "Peak relief: 3 accounts not notified",
      why: "2 have no channel, 1 email bounced, 1 callback failed",
      priority: 2,
      at_stake_kw: 540,
      dispatch: {
        id,
        program_id: expect.stringMatching(/^prg_/),
        program_name: "Peak relief",
        timezone: "America/Chicago",
        start_time: expect.any(String),
        end_time: null,
      },
      alarms: 4,
      open: 4,
      shelved: 0,
      accounts: 3,
      sites: 3,
      since: ahead(service, { seconds: -30 }),
      call_first: {
        account_id: second?.accountId,
        account_name: "Account 1",
        at_stake_kw: 410,
        contact: { name: "Ana Lopez", email: "ana@norrowbank.example", phone: "+15125550143" },
      },
      acknowledged_at: null,
      acknowledged_by: null,
      acknowledged_by_name: null,
      assigned_to: null,
    });
  });

  test("with different causes add up to what it lacks: a site counts for the first of them", async () => {
    const times = { start_time: ahead(service, { minutes: -5 }), end_time: ahead(service, { hours: 2 }) };
    const { id, participants } = await called(service, [500, 300, 200], times);
    await raise(service, [
      ...unnotified(id, participants.slice(0, 1)),
      { kind: "ven_opted_out", subject: `ven_1 ${id}`, accountId: participants[1]?.accountId ?? null },
      // None of the three sends readings.
      { kind: "telemetry_stale", subject: id },
    ]);
    const groups = (await groupsOf(service)).items.filter(({ dispatch }) => dispatch?.id === id);
    expect(groups.map((each) => [each.priority, each.title, each.at_stake_kw, each.sites])).toEqual([
      [1, "Peak relief: 1 account not notified", 500, 1],
      [1, "Peak relief: 1 site opted out", 300, 1],
      [1, "Peak relief: 3 sites without readings", 200, 3],
    ]);
  });

  test("of a VEN count the sites that the VEN has", async () => {
    const { id, participants } = await called(service, [500, 300]);
    const own = await service.newParticipant({ sites: [["a"], ["b"]] });
    const [of] = participants;
    await service.database.pool.query(
      `insert into vens (id, account_id, ven_id, environment, target_resource, target_ven_id, market_context, poll_interval_seconds, created_at, site_ids)
       values ('ven_some', $1, 'some', 'production', 'site_id', false, '*', 10, now(), array[$2])`,
      [of?.accountId, own.sites[0]?.id],
    );
    await raise(service, [{ kind: "ven_opted_out", subject: `ven_some ${id}`, accountId: of?.accountId ?? null }]);
    expect(await groupOf(service, `opted_out.${id}`)).toMatchObject({ sites: 0, title: "Peak relief: VEN opted out" });
  });

  test("that is over put nothing at stake", async () => {
    const times = { start_time: ahead(service, { hours: -3 }), end_time: ahead(service, { hours: -1 }) };
    const { id, participants } = await called(service, [500], times);
    await raise(service, unnotified(id, participants));
    expect(await groupOf(service, `not_notified.${id}`)).toMatchObject({ priority: 3, at_stake_kw: 0 });
  });
});

describe("alarms without a dispatch", () => {
  test("are grouped by kind, with the priority of the kind", async () => {
    await raise(service, [
      { kind: "disk_low", subject: "/var/lib/curtail" },
      { kind: "certificate_expiring", subject: "ven_1 30" },
      { kind: "certificate_expiring", subject: "ven_2 30" },
      { kind: "grid_down", subject: "of a newer version" },
    ]);
    const { items } = await groupsOf(service);
    const alone = items.filter(({ dispatch }) => dispatch === null);
    expect(alone.map((each) => [each.id, each.priority, each.title, each.at_stake_kw])).toEqual([
      ["disk_low", 2, "Disk space is low", null],
      ["certificate_expiring", 3, "Certificate expires soon, 2 alarms", null],
      ["grid_down", 3, "grid down", null],
    ]);
  });

  test("and all others are counted once, as the overview counts them", async () => {
    const { open, groups, items } = await groupsOf(service);
    expect(open).toBe(items.reduce((sum, each) => sum + each.open, 0));
    expect(groups).toBe(items.length);
    expect((await service.made(operator.getOverview, {})).alarms_open).toBe(open);
  });
});

describe("the alarms of a group", () => {
  test("are listed in pages, newest first", async () => {
    const { id, participants } = await called(service, [1, 2, 3]);
    const raised = await raise(service, unnotified(id, participants));
    await raise(service, [{ kind: "telemetry_stale", subject: id }]);
    const of = async (query: object) =>
      service.made(operator.listAlarms, { query: { group: `not_notified.${id}`, ...query } });
    expect((await of({})).items.map((each) => each.id)).toEqual(raised.toReversed());
    const { items, next_cursor } = await of({ limit: 2 });
    const rest = await of({ limit: 2, cursor: next_cursor });
    expect([...items, ...rest.items].map((each) => each.id)).toEqual(raised.toReversed());
    expect((await of({ state: "acknowledged" })).items).toEqual([]);
  });

  test("that is none are refused", async () => {
    expectError(await service.operator("GET", "/alarms?group=not%20notified"), 404, /No such alarm group/);
  });
});

describe("20,000 alarms", () => {
  test("are a reply of a few groups that is read at once", async () => {
    const flooded = await running({}, { unwatched });
    const { id, participants } = await called(flooded, [100, 200]);
    const [accountId = ""] = participants.map((each) => each.accountId);
    const { pool } = flooded.database;
    await pool.query(
      `insert into alarms (id, kind, subject, account_id, message, reason, raised_at)
       select 'alm_' || n, case when n % 2 = 0 then 'notice_failed' else 'contact_refused' end, 'x' || n, $2,
         case when n % 2 = 0 then 'was not notified of dispatch ' || case when n % 20 = 0 then 'dis_gone' || n else $1 end else 'bounced' end, 'bounced', $3
       from generate_series(1, 20000) as n`,
      [id, accountId, flooded.clock.now()],
    );
    const { text, body } = await flooded.operator(operator.listAlarmGroups);
    expect(body).toMatchObject({ open: 20_000, groups: 1002 });
    expect(body.items).toHaveLength(100);
    expect(body.items.slice(0, 2).map((each) => [each.title, each.open])).toEqual([
      ["Peak relief: 1 account not notified", 9000],
      ["Email to a contact refused, 10,000 alarms", 10_000],
    ]);
    expect(text.length).toBeLessThan(100_000);
    const started = performance.now();
    await groupsOf(flooded);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
