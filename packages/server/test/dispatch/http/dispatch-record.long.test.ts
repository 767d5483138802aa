import { getDispatch, operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newCalendar } from "../../support/calendars.js";
import { ahead, listedIds, newDispatch } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { newBrowser } from "../../support/people.js";
import {
  anna,
  body,
  found,
  hook,
  issue,
  metadata,
  patch,
  prepare,
  prepareEach,
  programId,
  recorded,
  service,
  yesterday,
} from "../../support/records-of-dispatches.js";

beforeAll(prepare);

beforeEach(prepareEach);
const preview = (times: object) => service.operator("POST", "/dispatches/preview", body(times));

describe("a dispatch that is over when it is created", () => {
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
  test("stays one that was notified when it is ended before its creation", async () => {
    const { id } = await newDispatch(service, programId, { start_time: ahead(service, { minutes: -9 }) });
    service.clock.advance({ minutes: 1 });
    await patch(id, { end_time: ahead(service, { minutes: -3 }) });
    expect(await listedIds(anna)).toEqual([id]);
    expect(await found(id)).toMatchObject({ record: false });
  });
});

describe("a start in the past", () => {
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
