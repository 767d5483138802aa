import { auth, operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { hasPythonCalendar, newCalendar, type ParsedEvent, parsedCalendar } from "../../support/calendars.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { type Answer, httpClient } from "../../support/http-client.js";
import { type Browser, newBrowser } from "../../support/people.js";
import { type Participant, type Running, running } from "../../support/running.js";

let service: Running;
let anna: Participant;
let ann: Browser;
let programId: string;

beforeAll(async () => {
  service = await running();
  anna = await service.newParticipant({ name: "Mill; Ltd, North", sites: [["main"], ["main"]] });
  programId = await newProgram(service, [anna], { name: "Summer Peak" });
});

beforeEach(async () => {
  ann = await newBrowser(service, "participant-viewer", anna.accountId);
});

const read = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  httpClient(service.url)("GET", path, undefined, headers);

const eventsOf = async (path: string): Promise<readonly ParsedEvent[]> =>
  parsedCalendar((await read(path)).text).events;

const eventOf = async (path: string, id: string): Promise<ParsedEvent | undefined> =>
  (await eventsOf(path)).find(({ uid }) => uid === `${id}@curtail`);

const create = (who: Browser, program_id: string | null) =>
  who.auth(auth.createCalendar, { body: { name: "Phone", program_id } });

const instant = (text: string | undefined): number => Date.parse(text ?? "");

describe.skipIf(!hasPythonCalendar)("a calendar, as python3-icalendar reads it", () => {
  test("follows a dispatch through its creation, a change, its cancellation", async () => {
    const { path } = await newCalendar(ann);
    const { id, start_time } = await newDispatch(service, programId, { end_time: ahead(service, { hours: 2 }) });
    const created = await eventOf(path, id);
    expect(created).toMatchObject({
      sequence: 0,
      status: "CONFIRMED",
      summary: "Reduce 100 kW · Summer Peak",
      location: "Mill; Ltd, North, site 1, Mill; Ltd, North, site 2",
      url: expect.stringMatching(new RegExp(`/dashboard/dispatches/${id}$`)),
      transparency: "OPAQUE",
      alarms: ["-1 day, 23:45:00"],
      errors: [],
    });
    expect(instant(created?.start)).toBe(Date.parse(start_time));

    service.clock.advance({ minutes: 1 });
    const end_time = ahead(service, { hours: 4 });
    await service.made(operator.changeDispatch, { params: { id }, body: { end_time } });
    const longer = await eventOf(path, id);
    expect(longer).toMatchObject({ sequence: 1, status: "CONFIRMED" });
    expect(instant(longer?.end)).toBe(Date.parse(end_time));
    expect(instant(longer?.changed)).toBe(instant(created?.changed) + 60_000);
    expect(longer?.stamp).toBe(longer?.changed);

    await service.made(operator.changeDispatch, { params: { id }, body: { authorized: false } });
    expect(await eventOf(path, id)).toMatchObject({
      sequence: 2,
      status: "CANCELLED",
      summary: "Cancelled: Reduce 100 kW · Summer Peak",
      transparency: "TRANSPARENT",
      alarms: [],
    });
    service.clock.advance({ days: 29 });
    expect(await eventOf(path, id)).toBeUndefined();
  });

  test("marks a voided dispatch as cancelled", async () => {
    const person = await newBrowser(service, "participant-viewer", anna.accountId);
    const { path } = await newCalendar(person);
    const { id } = await newDispatch(service, programId, {
      start_time: ahead(service, { hours: -2 }),
      end_time: ahead(service, {}),
    });
    service.clock.advance({ seconds: 1 });
    const body = { authorized: false, void_reason: "issued by mistake" };
    await service.made(operator.changeDispatch, { params: { id }, body });
    const event = await eventOf(path, id);
    expect(event).toMatchObject({ sequence: 1, status: "CANCELLED", summary: expect.stringMatching(/^Voided: /) });
    expect(event?.description).not.toContain("by mistake");
  });

  test("keeps the instant of a dispatch across the change of the clock", async () => {
    const { path } = await newCalendar(ann);
    // In Chicago clocks go back on 1 November 2026 at 07:00 UTC.
    const times = { start_time: "2026-11-01T06:30:00Z", end_time: "2026-11-01T08:30:00Z" };
    const { id } = await newDispatch(service, programId, times);
    const event = await eventOf(path, id);
    expect(event?.start).toBe("2026-11-01T06:30:00+00:00");
    expect(event?.end).toBe("2026-11-01T08:30:00+00:00");
  });

  test("says how often to look, and has a name and no method", async () => {
    const { path } = await newCalendar(ann);
    const { name, refresh, method } = parsedCalendar((await read(path)).text);
    expect({ name, refresh, method }).toEqual({ name: "Dispatches (Phone)", refresh: "PT15M", method: null });
  });

  test("of an operator has the dispatches of all accounts, or of one program, and no account's own tests", async () => {
    const berta = await service.newParticipant();
    const other = await newProgram(service, [berta], { name: "Winter" });
    const olga = await newBrowser(service, "auditor");
    const [all, one] = [await newCalendar(olga), await newCalendar(olga, { program_id: other })];
    const [hers, theirs] = [await newDispatch(service, programId), await newDispatch(service, other, { test: true })];
    const own = await berta.call("POST", "/dispatches", {
      start_time: ahead(service, { hours: 1 }),
      end_time: ahead(service, { hours: 2 }),
      test: true,
    });
    expect(own.status).toBeLessThan(300);
    const uids = (await eventsOf(all.path)).map(({ uid }) => uid);
    expect(uids).toEqual(expect.arrayContaining([`${hers.id}@curtail`, `${theirs.id}@curtail`]));
    expect(uids).not.toContain(`${(own.body as { id: string }).id}@curtail`);
    expect(await eventsOf(one.path)).toMatchObject([
      { uid: `${theirs.id}@curtail`, summary: "[TEST] Reduce 50 kW · Winter", transparency: "TRANSPARENT" },
    ]);
    expect((await eventsOf(one.path))[0]?.url).toContain("/operations/dispatches/");
  });
});

describe("a calendar", () => {
  test("shows an account's own dispatches from their notification time on", async () => {
    const berta = await service.newParticipant();
    const { path } = await newCalendar(await newBrowser(service, "participant-admin", berta.accountId));
    const notification_time = ahead(service, { minutes: 30 });
    const program = await newProgram(service, [berta, anna]);
    const { id } = await newDispatch(service, program, { notification_time });
    expect((await read(path)).text).not.toContain(id);
    service.clock.advance({ minutes: 30 });
    const { text } = await read(path);
    expect(text).toContain(id);
    expect(text).not.toContain("Mill");
    expect((await read((await newCalendar(ann)).path)).text).toContain(id);
  });

  test("is answered 304 while nothing changed", async () => {
    const { path } = await newCalendar(ann);
    const first = await read(path);
    expect(first.headers.get("content-type")).toBe("text/calendar; charset=utf-8");
    const etag = first.headers.get("etag") ?? "";
    expect(await read(path, { "if-none-match": etag })).toMatchObject({ status: 304, text: "" });
    expect((await read(path, { "if-none-match": etag.replace(/^W\//, "") })).status).toBe(304);
    await newDispatch(service, programId);
    expect((await read(path, { "if-none-match": etag })).status).toBe(200);
  });

  test("keeps its secret: no cache, search engine or other site gets it, nor the database", async () => {
    const { path } = await newCalendar(ann);
    for (const answer of [await read(path), await read("/calendar/unknown.ics")]) {
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "cache-control": "private, no-cache",
        "x-robots-tag": "noindex",
        "referrer-policy": "no-referrer",
      });
    }
    const secret = path.replace(/^\/calendar\/|\.ics$/g, "");
    const listed = await ann.auth(auth.listCalendars);
    expect(listed.text).not.toContain(secret);
    const { rows } = await service.database.pool.query("select calendars::text from calendars");
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  test("is listed with its last use", async () => {
    const { id, path } = await newCalendar(ann);
    const used = async () => (await ann.auth(auth.listCalendars)).body.items[0];
    expect(await used()).toMatchObject({ id, name: "Phone", program_id: null, last_used_at: null });
    await read(path);
    expect(await used()).toMatchObject({ last_used_at: ahead(service, {}) });
  });

  test("ends when it is deleted, and only its user can delete it", async () => {
    const { id, path } = await newCalendar(ann);
    const other = await newBrowser(service, "participant-admin", anna.accountId);
    expectError(await other.auth(auth.deleteCalendar, { params: { id } }), 404, /calendar/);
    expect((await read(path)).status).toBe(200);
    expect((await ann.auth(auth.deleteCalendar, { params: { id } })).status).toBe(204);
    expectError(await read(path), 404, /no calendar at this address/);
  });

  test("is not served while its user or account is disabled, and a disabled user's is gone for good", async () => {
    const berta = await service.newParticipant();
    const person = await newBrowser(service, "participant-admin", berta.accountId);
    const { path } = await newCalendar(person);
    const account = (disabled: boolean) =>
      service.made(operator.changeAccount, { params: { id: berta.accountId }, body: { disabled } });
    const user = (disabled: boolean) =>
      service.made(operator.changeUser, { params: { id: person.id }, body: { disabled } });
    await account(true);
    expect((await read(path)).status).toBe(404);
    await account(false);
    expect((await read(path)).status).toBe(200);
    await user(true);
    await user(false);
    expect((await read(path)).status).toBe(404);
  });

  test("is limited to ten per user, and to existing programs of operators", async () => {
    const olga = await newBrowser(service, "operator");
    expectError(await create(olga, "prg_none"), 400, /program prg_none does not exist/);
    expectError(await create(ann, programId), 400, /program_id is for operators only/);
    for (let count = 0; count < 10; count++) await newCalendar(olga);
    expectError(await create(olga, null), 400, /already have 10 calendars/);
  });

  test("may be read 30 times a minute; and unknown ones are tried 60 times from one place", async () => {
    const { path } = await newCalendar(ann);
    for (let count = 0; count < 30; count++) expect((await read(path)).status).toBe(200);
    const over = await read(path);
    expect(over.status).toBe(429);
    expect(Number(over.headers.get("retry-after"))).toBeGreaterThan(0);
    service.clock.advance({ minutes: 2 });
    for (let count = 0; count < 60; count++) expect((await read("/calendar/none.ics")).status).toBe(404);
    expect((await read("/calendar/none.ics")).status).toBe(429);
    service.clock.advance({ minutes: 2 });
    expect((await read(path)).status).toBe(200);
  });
});
