import { createWebhook, getDispatch, listDispatches, operator, participantConsole } from "@curtail/contract";
import { type Receiver, receiver } from "@curtail/testing/receiver";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newCalendar } from "../../support/calendars.js";
import { ahead, listedIds, newDispatch, newProgram } from "../../support/dispatching.js";
import { evidenceOf } from "../../support/evidence.js";
import { expectError } from "../../support/expect-error.js";
import { lookOnce } from "../../support/owed.js";
import { newBrowser } from "../../support/people.js";
import { type Participant, type Running, running } from "../../support/running.js";

// A dispatch whose end lies before its creation is measured, and nobody is notified of it (G61).
let service: Running;
let anna: Participant;
let programId: string;
let hook: Receiver;

beforeAll(async () => {
  service = await running();
});

beforeEach(async () => {
  anna = await service.newParticipant({ name: "Anna" });
  programId = await newProgram(service, [anna]);
  hook = await receiver();
  const events = [{ name: "dispatch.create" as const }, { name: "dispatch.update" as const }];
  await anna.call(createWebhook, { body: { url: hook.url, events } });
});

const yesterday = () => ({ start_time: ahead(service, { hours: -25 }), end_time: ahead(service, { hours: -24 }) });
const body = (times: object) => ({ program_id: programId, ...times });
const issue = (times: object) => service.operator("POST", "/dispatches", body(times));
const preview = (times: object) => service.operator("POST", "/dispatches/preview", body(times));
const recorded = async (): Promise<string> =>
  (await newDispatch(service, programId, { ...yesterday(), confirm_past: true })).id;
const patch = (id: string, change: object) =>
  service.operator(operator.changeDispatch, { params: { id }, body: change });
const found = async (id: string) => (await service.operator(operator.getAnyDispatch, { params: { id } })).body;

/** The first thing that the webhook is sent is about this dispatch: of what came before, it was told nothing. */
const isToldFirst = async (id: string): Promise<void> => {
  expect((await hook.notices(1)).map(({ resource }) => resource)).toEqual([`/2022-04-15/dispatches/${id}`]);
};

describe("a dispatch that is over when it is created", () => {
  test("is there by its id and not in the list, and its operator sees that it is a record", async () => {
    const id = await recorded();
    expect(await listedIds(anna)).toEqual([]);
    const seen = await anna.call(getDispatch, { params: { id } });
    expect(seen.body).toMatchObject({ id, ...yesterday(), authorized: true, cancelled: false });
    expect(seen.body).not.toHaveProperty("record");
    expect(await found(id)).toMatchObject({ id, record: true });
    const person = await newBrowser(service, "participant-admin", anna.accountId);
    const past = await person.console(participantConsole.listPastDispatches);
    expect(past.body.items.map((each) => each.id)).toEqual([id]);
  });

  test("notifies no webhook, owes nothing, and leaves no evidence of a notice", async () => {
    const id = await recorded();
    service.clock.advance({ minutes: 10 });
    await lookOnce(service);
    const { id: next } = await newDispatch(service, programId);
    await isToldFirst(next);
    expect(await evidenceOf(service, id)).toEqual([]);
    const { rows } = await service.database.pool.query(
      "select from notices where dispatch_id = $1 union all select from mails where dispatch_id = $1",
      [id],
    );
    expect(rows).toEqual([]);
  });

  test("asks nobody to be called, though nothing reached its account", async () => {
    const id = await recorded();
    const { body: attention } = await service.operator(operator.getDispatchAttention, { params: { id } });
    expect(attention).toMatchObject({ accounts: 1, reached: 0, unreached: [] });
  });

  test("cannot be changed, not even into the future; it can be voided, of which nobody is notified", async () => {
    const id = await recorded();
    expectError(await patch(id, { end_time: ahead(service, { hours: 1 }) }), 400, /is over and cannot be changed/);
    expectError(await patch(id, { metadata: { note: "late" } }), 400, /is over and cannot be changed/);
    expect((await patch(id, { authorized: false, void_reason: "wrong day" })).status).toBe(200);
    const { id: next } = await newDispatch(service, programId);
    await isToldFirst(next);
    expect((await anna.call(getDispatch, { params: { id } })).body).toMatchObject({ cancelled: true });
    expect(await listedIds(anna)).toEqual([next]);
  });

  test("overlaps others of its time, as any dispatch does", async () => {
    const id = await recorded();
    const other = await newDispatch(service, programId, yesterday());
    expect(other.sites[0]?.overlaps).toMatchObject([{ dispatch_id: id }]);
  });

  test("is a record as a test, too, and verifies no site", async () => {
    const sites = [{ site_id: anna.sites[0]?.id ?? "" }];
    const { id } = await newDispatch(service, programId, { ...yesterday(), test: true, sites });
    expect(await found(id)).toMatchObject({ record: true, test: true });
    const { body: onboarding } = await service.operator(operator.getOnboarding, {
      params: { id: anna.sites[0]?.id ?? "" },
    });
    expect(JSON.stringify(onboarding)).not.toContain(id);
  });

  test("is issued once under an Idempotency-Key", async () => {
    const headers = { "idempotency-key": "record-1" };
    const send = () => service.operator("POST", "/dispatches", body({ ...yesterday(), confirm_past: true }), headers);
    const [first, second] = [await send(), await send()];
    expect([first.status, second.body.id]).toEqual([201, first.body.id]);
  });

  test("stands in calendars without an alarm", async () => {
    await recorded();
    const { path } = await newCalendar(await newBrowser(service, "participant-admin", anna.accountId));
    const file = await (await fetch(new URL(path, service.url))).text();
    expect(file).toContain("BEGIN:VEVENT");
    expect(file).not.toContain("BEGIN:VALARM");
  });
});

describe("a dispatch whose end lies at or after its creation", () => {
  test("is notified, however long ago it started", async () => {
    const times = { start_time: ahead(service, { hours: -2 }), end_time: ahead(service, {}), confirm_past: true };
    const { id } = await newDispatch(service, programId, times);
    await isToldFirst(id);
    expect(await found(id)).toMatchObject({ record: false });
  });

  test("stays one that was notified when it is ended before its creation", async () => {
    const { id } = await newDispatch(service, programId, { start_time: ahead(service, { minutes: -9 }) });
    service.clock.advance({ minutes: 1 });
    await patch(id, { end_time: ahead(service, { minutes: -3 }) });
    expect(await listedIds(anna)).toEqual([id]);
    expect(await found(id)).toMatchObject({ record: false });
  });
});

describe("a start in the past", () => {
  test("of more than 5 minutes must be confirmed", async () => {
    const late = { start_time: ahead(service, { minutes: -5, seconds: -1 }) };
    expectError(await issue(late), 400, /^Send confirm_past: true .* more than 5 minutes in the past/u);
    expectError(await issue(yesterday()), 400, /nobody would be notified/);
    expect((await issue({ ...late, confirm_past: true })).status).toBe(201);
    expect((await issue({ start_time: ahead(service, { minutes: -5 }) })).status).toBe(201);
  });

  test("is asked about in the preview, which says that nobody would be notified", async () => {
    const past = (await preview(yesterday())).body;
    expect(past).toMatchObject({ record: true, confirm_past: true, accounts: [{ channels: [], warnings: [] }] });
    const started = (await preview({ start_time: ahead(service, { minutes: -6 }) })).body;
    expect(started).toMatchObject({ record: false, confirm_past: true });
    expect(started.accounts[0].channels).not.toEqual([]);
    expect((await preview({ start_time: ahead(service, {}) })).body).toMatchObject({ confirm_past: false });
  });

  test("is no reason to refuse a notification time, which counts as the moment of creation", async () => {
    const notification_time = ahead(service, { days: -3 });
    const made = await newDispatch(service, programId, { ...yesterday(), notification_time });
    expect(made.notification_time).toBe(ahead(service, {}));
    const soon = await newDispatch(service, programId, { notification_time });
    expect(soon.notification_time).toBe(ahead(service, {}));
  });

  test("is refused for the verification of a site", async () => {
    const verification = { program_id: programId, start_time: ahead(service, { hours: -1 }) };
    const params = { id: anna.sites[0]?.id ?? "" };
    expectError(await service.operator(operator.verifySite, { params, body: verification }), 400, /in the past/);
  });
});

describe("metadata of a dispatch (G59)", () => {
  const metadata = { market_reference: "MKT-17", "zone.name": "North" };

  test("is {} unless the operator sets it, and the same wherever a dispatch is read", async () => {
    const { id } = await newDispatch(service, programId);
    expect((await anna.call(getDispatch, { params: { id } })).body).toMatchObject({ metadata: {}, cancelled: false });
    const other = await newDispatch(service, programId, { metadata });
    const { body: seen } = await anna.call(getDispatch, { params: { id: other.id } });
    expect(seen.metadata).toEqual(metadata);
    const { body: list } = await anna.call(listDispatches);
    expect(list.dispatches.find((each) => each.id === other.id)).toEqual(seen);
  });

  test("changes as a dispatch does: with a number, an update, and an entry of the audit log", async () => {
    const { id } = await newDispatch(service, programId, { metadata });
    const changed = { market_reference: "MKT-18" };
    expect((await patch(id, { metadata: changed })).body).toMatchObject({ metadata: changed, modification_number: 1 });
    expect((await patch(id, { metadata: { ...changed } })).body).toMatchObject({ modification_number: 1 });
    expect((await hook.notices(2)).map(({ event }) => event)).toEqual(["dispatch.create", "dispatch.update"]);
    expect((await anna.call(getDispatch, { params: { id } })).body.metadata).toEqual(changed);
    const { body: log } = await service.operator(operator.listAudit, { query: { subject: id } });
    expect(log.items[0]).toMatchObject({ before: { metadata }, after: { metadata: changed } });
  });

  test("has at most 20 names of 50 characters with texts of 500", async () => {
    const start_time = ahead(service, { hours: 1 });
    for (const good of [many(20), { ["n".repeat(50)]: "x".repeat(500) }]) {
      expect((await issue({ start_time, metadata: good })).status).toBe(201);
    }
    const bad = [
      many(21),
      { ["n".repeat(51)]: "x" },
      { name: "x".repeat(501) },
      { name: 1 },
      { name: null },
      { name: "\u0000" },
      { "": "x" },
      { "a b": "x" },
      { _a: "x" },
      [],
    ];
    for (const each of bad) expectError(await issue({ start_time, metadata: each }), 400, /metadata/);
  });
});

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`name_${n}`, "x"]));
