import { operator } from "@curtail/contract";
import { beforeEach, describe, expect, test } from "vitest";
import { called, raise, unnotified, unwatched } from "../../support/alarm-groups.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { newBrowser } from "../../support/people.js";
import { type Running, running } from "../../support/running.js";

let service: Running;
beforeEach(async () => {
  service = await running({}, { unwatched });
});

const draft = (query: { readonly from_time?: string; readonly to_time?: string } = {}) =>
  service.made(operator.draftShiftReport, { query });

const lastHours = (hours: number) => ({ from_time: ahead(service, { hours: -hours }), to_time: ahead(service, {}) });

const keep = (texts: { readonly summary?: string } = {}) =>
  service.made(operator.keepShiftReport, { body: { ...lastHours(1), ...texts } });

const clear = (ids: readonly string[]) =>
  service.database.pool.query("update alarms set cleared_at = $2 where id = any($1)", [ids, service.clock.now()]);

describe("a draft", () => {
  test("of a service in which nothing happened is empty, of the last twelve hours", async () => {
    service.clock.advance({ days: 1 });
    const nothing = { count: 0, items: [] };
    expect(await draft()).toMatchObject({
      previous: null,
      ...lastHours(12),
      drawn_at: ahead(service, {}),
      dispatches: nothing,
      alarms: { ...nothing, raised: 0, acknowledged: 0, cleared: 0, open: 0, open_unacknowledged: 0, shelved: 0 },
      calls: nothing,
      changes: nothing,
      next: nothing,
    });
  });

  test("says what a dispatch was at the end of the shift, whom it had reached, and who was phoned", async () => {
    const times = { start_time: ahead(service, { minutes: 1 }), end_time: ahead(service, { hours: 2 }) };
    const { id, participants } = await called(service, [100, 50], times);
    const [anna] = participants;
    const call = { account_id: anna?.accountId ?? "", person: "Ana", note: "starts\u2028at once" };
    await service.made(operator.recordPhoneCall, { params: { id }, body: call });
    service.clock.advance({ minutes: 30 });
    const to_time = ahead(service, {});
    service.clock.advance({ seconds: 1 });
    await service.made(operator.changeDispatch, { params: { id }, body: { end_time: ahead(service, { minutes: 5 }) } });
    const { dispatches, calls } = await draft({ from_time: ahead(service, { hours: -1 }), to_time });
    expect(dispatches.items).toMatchObject([
      {
        dispatch_id: id,
        program_name: "Peak relief",
        ...times,
        state: "active",
        issued: true,
        changes: 0,
        sites: 2,
        commitment_kw: 150,
        accounts: 2,
        accounts_notified: 1,
        result: "none",
      },
    ]);
    expect(calls).toMatchObject({
      count: 1,
      items: [
        { dispatch_id: id, account_name: "Account 0", person: "Ana", by: "operator", program_name: "Peak relief" },
      ],
    });
    service.clock.advance({ minutes: 6 });
    expect((await draft(lastHours(0.05))).dispatches.items).toMatchObject([
      { dispatch_id: id, state: "past", issued: false, changes: 0, accounts_notified: 0 },
    ]);
  });

  test("lists what is cancelled in the shift, leaves out what was cancelled before, and says what is next", async () => {
    const program = await newProgram(service, [await service.newParticipant()]);
    const { id: gone } = await newDispatch(service, program, { start_time: ahead(service, { minutes: 1 }) });
    service.clock.advance({ minutes: 10 });
    await service.made(operator.changeDispatch, { params: { id: gone }, body: { authorized: false } });
    service.clock.advance({ minutes: 1 });
    expect((await draft(lastHours(0.1))).dispatches.items).toMatchObject([
      { dispatch_id: gone, state: "cancelled", issued: false, changes: 1 },
    ]);
    const { id: next } = await newDispatch(service, program, { start_time: ahead(service, { hours: 20 }) });
    const { id: later } = await newDispatch(service, program, { start_time: ahead(service, { hours: 25 }) });
    service.clock.advance({ minutes: 6 });
    const shift = await draft(lastHours(0.1));
    expect(shift.dispatches.items.map(({ dispatch_id, state }) => [dispatch_id, state])).toEqual([
      [next, "upcoming"],
      [later, "upcoming"],
    ]);
    expect(shift.next).toMatchObject({ count: 1, items: [{ dispatch_id: next, accounts: 1, accounts_notified: 0 }] });
  });

  test("counts alarms by dispatch and cause, as they stood at the end", async () => {
    const { id, participants } = await called(service, [100, 100, 100]);
    const raised = await raise(service, unnotified(id, participants));
    service.clock.advance({ minutes: 10 });
    const group = { params: { id: `not_notified.${id}` } };
    await service.made(operator.acknowledgeAlarmGroup, { ...group, body: { alarm_ids: raised.slice(0, 2) } });
    await service.made(operator.assignAlarmGroup, { ...group, body: { assigned_to: "Desk 2" } });
    service.clock.advance({ minutes: 1 });
    const to_time = ahead(service, {});
    await clear(raised.slice(0, 1));
    service.clock.advance({ minutes: 5 });
    const words = { cause: "not_notified", kind: "notice_failed", program_name: "Peak relief", accounts: 3 };
    const of = { title: "Peak relief: 3 accounts not notified", ...words, dispatch_id: id, alarms: 3 };
    const sums = { raised: 3, acknowledged: 2, shelved: 0 };
    expect((await draft({ from_time: ahead(service, { hours: -1 }), to_time })).alarms).toMatchObject({
      count: 1,
      ...sums,
      cleared: 0,
      open: 3,
      open_unacknowledged: 1,
      items: [{ ...of, ...sums, cleared: 0, open: 3, acknowledged_by: ["operator"], assigned_to: "Desk 2" }],
    });
    expect((await draft(lastHours(1))).alarms).toMatchObject({ ...sums, cleared: 1, open: 2, open_unacknowledged: 1 });
    expect((await draft(lastHours(0.05))).alarms).toMatchObject({ raised: 0, acknowledged: 0, cleared: 0, open: 2 });
  });

  test("groups what people changed, by person and action, without sign-ins and what other sections show", async () => {
    const olivia = await newBrowser(service, "operator");
    service.clock.advance({ hours: 1 });
    for (const name of ["Northgate", "Emberly"]) await olivia.operator(operator.createAccount, { body: { name } });
    const at = ahead(service, {});
    service.clock.advance({ seconds: 1 });
    const { changes } = await draft(lastHours(0.5));
    expect(changes).toEqual({
      count: 1,
      items: [
        {
          action: "account.create",
          by: `user:${olivia.id}`,
          by_name: expect.stringMatching(/^Person/),
          by_account_name: null,
          count: 2,
          subjects: ["Emberly", "Northgate"],
          first_at: at,
          last_at: at,
        },
      ],
    });
  });

  test("cuts long sections, and counts what it leaves out", async () => {
    const { id } = await called(service, [1]);
    await service.database.pool.query(
      `insert into alarms (id, kind, subject, account_id, message, raised_at)
       select 'alm_' || n, 'notice_failed', 'mail_' || n, null, 'not notified of dis_' || n % 300, $1 from generate_series(1, 20000) as n`,
      [service.clock.now()],
    );
    await service.database.pool.query(
      `insert into phone_calls (dispatch_id, account_id, modification_number, at, recorded_at, person, note, actor)
       select $1, account_id, 0, $2, $2, 'Ana', repeat('x', 600), 'operator' from dispatch_sites, generate_series(1, 101)
       where dispatch_id = $1`,
      [id, service.clock.now()],
    );
    service.clock.advance({ seconds: 1 });
    const { alarms, calls } = await draft(lastHours(1));
    expect(alarms).toMatchObject({ count: 300, raised: 20_000, open: 20_000 });
    expect([alarms.items.length, calls.count, calls.items.length]).toEqual([50, 101, 100]);
    expect(calls.items[0]?.note).toHaveLength(501);
  });

  test("is refused for a shift that is too long or not over", async () => {
    const refused = (query: object) => service.operator(operator.draftShiftReport, { query });
    expectError(await refused(lastHours(49)), 400, /at most 48 hours/);
    expectError(await refused({ to_time: ahead(service, { minutes: 1 }) }), 400, /in the future/);
    expectError(await refused({ from_time: "yesterday" }), 400, /from/);
  });
});

describe("a report that was kept", () => {
  test("does not change when an alarm clears or a dispatch ends later, and the next begins where it ends", async () => {
    const times = { start_time: ahead(service, { minutes: 1 }), end_time: ahead(service, { hours: 1 }) };
    const { id, participants } = await called(service, [100], times);
    const raised = await raise(service, unnotified(id, participants));
    service.clock.advance({ minutes: 10 });
    const kept = await keep({ summary: "One account to call.\nThen wait." });
    expect(kept).toMatchObject({ version: 1, summary: "One account to call.\nThen wait.", alarms_note: "" });
    expect(kept.alarms).toMatchObject({ raised: 1, open: 1 });
    expect(kept.dispatches.items).toMatchObject([{ dispatch_id: id, state: "active" }]);
    await clear(raised);
    await service.made(operator.changeDispatch, { params: { id }, body: { authorized: false } });
    await service.made(operator.changeAccount, {
      params: { id: participants[0]?.accountId ?? "" },
      body: { name: "Renamed" },
    });
    service.clock.advance({ hours: 3 });
    expect(await service.made(operator.getShiftReport, { params: { id: kept.id } })).toEqual(kept);
    const { id: previous, from_time, to_time } = kept;
    expect(await draft()).toMatchObject({ previous: { id: previous, from_time, to_time }, from_time: to_time });
  });

  test("by an earlier version has the titles of its alarms only", async () => {
    const { id, participants } = await called(service, [100]);
    await raise(service, unnotified(id, participants));
    service.clock.advance({ minutes: 10 });
    const kept = await keep();
    const [alarms] = kept.alarms.items;
    expect(alarms).toMatchObject({ title: "Peak relief: 1 account not notified", kind: "notice_failed" });
    const { pool } = service.database;
    await pool.query(
      `insert into shift_reports (id, from_time, to_time, kept_at, drawn, dispatch_count, open_alarm_count)
       select 'shr_before', from_time, to_time, kept_at, drawn #- '{alarms,items,0,cause}' #- '{alarms,items,0,kind}'
         #- '{alarms,items,0,programName}' #- '{alarms,items,0,accounts}', dispatch_count, open_alarm_count
       from shift_reports where id = $1`,
      [kept.id],
    );
    await pool.query(
      "insert into shift_report_versions select 'shr_before', version, at, actor, texts from shift_report_versions where report_id = $1",
      [kept.id],
    );
    const before = await service.made(operator.getShiftReport, { params: { id: "shr_before" } });
    const none = { cause: null, kind: null, program_name: null, accounts: null };
    expect(before.alarms.items).toEqual([{ ...alarms, ...none }]);
  });

  test("gets a version by each edit, and earlier ones stay readable", async () => {
    const { id, ...first } = await keep({ summary: "Quiet." });
    const olivia = await newBrowser(service, "operator");
    service.clock.advance({ minutes: 5 });
    const params = { id };
    const edit = { version: 1, alarms_note: "The mail server is back." };
    const { body: second } = await olivia.operator(operator.changeShiftReport, { params, body: edit });
    expect(second).toMatchObject({ version: 2, summary: "Quiet.", alarms_note: "The mail server is back." });
    expect(second.versions).toMatchObject([
      { version: 1, by: "operator", by_name: null },
      { version: 2, at: ahead(service, {}), by: `user:${olivia.id}`, by_name: expect.stringMatching(/^Person/) },
    ]);
    const same = await service.made(operator.changeShiftReport, { params, body: { version: 2, summary: "Quiet." } });
    expect(same.version).toBe(2);
    const read = (version: number) => service.operator(operator.getShiftReport, { params, query: { version } });
    expect((await read(1)).body).toMatchObject({ version: 1, summary: first.summary, alarms_note: "" });
    expectError(await read(3), 404, /No such shift report/);
    expect((await service.made(operator.listShiftReports)).items).toMatchObject([
      { id, version: 2, summary: "Quiet.", kept_by: "operator", changed_by: `user:${olivia.id}` },
    ]);
  });

  test("by two people at once is kept once, and edited once: the other is refused, and says which to read", async () => {
    const body = { ...lastHours(1), previous_id: null };
    const kept = await Promise.all([1, 2].map(() => service.operator(operator.keepShiftReport, { body })));
    expect(kept.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400]);
    const id = kept.find(({ status }) => status === 201)?.body.id ?? "";
    const edits = await Promise.all(
      ["a", "b"].map((summary) =>
        service.operator(operator.changeShiftReport, { params: { id }, body: { version: 1, summary } }),
      ),
    );
    expect(edits.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    for (const { status, body: refusal } of edits)
      if (status !== 200) expect(refusal).toMatchObject({ message: expect.stringMatching(/^Read version 2/) });
    expect((await service.made(operator.getShiftReport, { params: { id } })).versions).toHaveLength(2);
  });

  test("is for an auditor to read, not to write", async () => {
    const { id } = await keep();
    const auditor = await newBrowser(service, "auditor");
    const params = { id };
    expect((await auditor.operator(operator.draftShiftReport)).status).toBe(200);
    expect((await auditor.operator(operator.getShiftReport, { params })).body).toMatchObject({ id, version: 1 });
    expect((await auditor.operator(operator.listShiftReports)).body.items).toMatchObject([{ id }]);
    expectError(await auditor.operator(operator.keepShiftReport, { body: lastHours(1) }), 404);
    expectError(await auditor.operator(operator.changeShiftReport, { params, body: { version: 1 } }), 404);
    const anna = await service.newParticipant();
    expect((await anna.call("GET", `/shift-reports/${id}`)).status).toBe(404);
  });

  test("cannot be changed or deleted in the database", async () => {
    await keep();
    for (const statement of ["update shift_reports set kept_at = now()", "delete from shift_report_versions"])
      await expect(service.database.pool.query(statement)).rejects.toThrow(/evidence rests on shift_report/);
  });
});
