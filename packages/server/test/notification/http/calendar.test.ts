import { auth, operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  ann,
  anna,
  eventOf,
  instant,
  prepare,
  prepareEach,
  programId,
  read,
  service,
} from "../../support/calendar-feeds.js";
import { hasPythonCalendar, newCalendar } from "../../support/calendars.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { newBrowser } from "../../support/people.js";

beforeAll(prepare);

beforeEach(prepareEach);

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
});

const used = async () => (await ann.auth(auth.listCalendars)).body.items[0];

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
});
