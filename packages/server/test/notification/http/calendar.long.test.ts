import { auth, operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  ann,
  anna,
  eventOf,
  eventsOf,
  prepare,
  prepareEach,
  programId,
  read,
  service,
} from "../../support/calendar-feeds.js";
import { hasPythonCalendar, newCalendar, parsedCalendar } from "../../support/calendars.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { type Browser, newBrowser } from "../../support/people.js";

beforeAll(prepare);

beforeEach(prepareEach);

const create = (who: Browser, program_id: string | null) =>
  who.auth(auth.createCalendar, { body: { name: "Phone", program_id } });

describe.skipIf(!hasPythonCalendar)("a calendar, as python3-icalendar reads it", () => {
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
