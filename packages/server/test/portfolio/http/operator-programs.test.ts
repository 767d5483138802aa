import { operator } from "@curtail/contract";
import { wireProgram } from "@curtail/testing/wire-forms";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { type Participant, type Running, running } from "../../support/running.js";

// The operator API: programs and enrolments, dispatches; G17.
let service: Running;
let anna: Participant;

beforeAll(async () => {
  service = await running();
  anna = await service.newParticipant({ sites: [["main"], ["main"]] });
});

const send = async (method: string, path: string, body?: unknown) => (await service.operator(method, path, body)).body;
const peak = wireProgram({ timezone: "America/Chicago", market: "ERCOT" });
const times = () => ({ start_time: ahead(service, { hours: 1 }), end_time: ahead(service, { hours: 2 }) });

describe("a program", () => {
  test("is created, retrieved, changed and listed", async () => {
    const program = await send("POST", "/programs", peak);
    const unmeasured = {
      baseline: null,
      holidays: [],
      holiday_calendar: null,
      added_holidays: [],
      removed_holidays: [],
      status_limits: null,
      tests_are_events: true,
      corrections_days: null,
      longest_open_hours: 24,
      public: false,
      simulated: false,
    };
    const defaults = { schedule_cutoff_seconds: 0, openadr: null, ...unmeasured, created_at: ahead(service, {}) };
    expect(program).toEqual({ id: expect.stringMatching(/^prg_/), ...peak, ...defaults });
    expect(await send("GET", `/programs/${program.id}`)).toEqual(program);
    const change = { market: "", schedule_cutoff_seconds: 3600, openadr: { level: 2, ramp_up_seconds: 600 } };
    const changed = await send("PATCH", `/programs/${program.id}`, change);
    expect(changed).toEqual({ ...program, ...change });
    expect((await send("GET", "/programs")).items).toContainEqual(changed);
    expect(await send("PATCH", `/programs/${program.id}`, { openadr: null })).toMatchObject({ openadr: null });
  });

  test("has one of the seven types, and a zone that exists (G17)", async () => {
    const types = [
      "capacity",
      "ancillary_services",
      "energy",
      "peak_saver",
      "utility_interruptible_rate",
      "utility_program",
      "not_specified",
    ];
    for (const program_type of types)
      expect(await send("POST", "/programs", { ...peak, program_type })).toMatchObject({ program_type });
    expectError(await service.operator("POST", "/programs", { ...peak, program_type: "other" }), 400, /program_type/);
    expectError(
      await service.operator(operator.createProgram, { body: { ...peak, timezone: "Mars/Base" } }),
      400,
      /IANA time zone/,
    );
  });

  test("enrols sites, changes their commitment, and lets them go", async () => {
    const { id } = await send("POST", "/programs", peak);
    const [first, second] = anna.sites.map((site) => site.id);
    expect(await send("PUT", `/programs/${id}/sites/${first}`, { commitment: 10.5 })).toEqual({
      program_id: id,
      site_id: first,
      commitment: 10.5,
      baseline: null,
    });
    await send("PUT", `/programs/${id}/sites/${second}`, { commitment: null });
    await send("PUT", `/programs/${id}/sites/${first}`, { commitment: 12 });
    await send("PATCH", `/sites/${second}`, { name: "Mill", dispatch_group: "north" });
    const { name: account_name } = await send("GET", `/accounts/${anna.accountId}`);
    const of = { program_id: id, baseline: null, account_id: anna.accountId, account_name };
    expect((await send("GET", `/programs/${id}/sites`)).items).toEqual([
      { ...of, site_id: first, site_name: `${account_name}, site 1`, dispatch_group: "", commitment: 12 },
      { ...of, site_id: second, site_name: "Mill", dispatch_group: "north", commitment: null },
    ]);
    const ofSite = { program_id: id, program_name: peak.name, timezone: peak.timezone, site_id: first, baseline: null };
    expect((await send("GET", `/sites/${first}/enrolments`)).items).toEqual([{ ...ofSite, commitment: 12 }]);
    expectError(await service.operator(operator.listSiteEnrolments, { params: { id: "site_0" } }), 404, /No such site/);
    expect((await service.operator("DELETE", `/programs/${id}/sites/${first}`)).status).toBe(204);
    expect((await send("GET", `/programs/${id}/sites`)).items).toMatchObject([{ site_id: second }]);
    expectError(await service.operator("DELETE", `/programs/${id}/sites/${first}`), 404, /No such enrolment/);
    expectError(
      await service.operator(operator.enrolSite, { params: { id, site_id: "site_0" }, body: { commitment: 1 } }),
      404,
      /No such site/,
    );
    expectError(
      await service.operator("PUT", `/programs/prg_0/sites/${first}`, { commitment: 1 }),
      404,
      /No such program/,
    );
  });
});

describe("how a program is measured", () => {
  const limits = { amber_from: 0.5, green_from: 0.9, green_to: 1.1, stale_seconds: 120, least_coverage: 0.5 };

  test("is a preset with its anchor, holidays and limits of the status", async () => {
    const settings = {
      baseline: { preset: "high_4_of_5", anchor: "notification" },
      holidays: ["2026-07-03", "2026-12-25"],
      status_limits: limits,
    };
    const program = await send("POST", "/programs", { ...peak, ...settings });
    expect(program).toMatchObject(settings);
    const method = { kind: "flat", kw: 12 };
    expect(await send("PATCH", `/programs/${program.id}`, { baseline: { method } })).toMatchObject({
      ...settings,
      baseline: { method },
    });
  });

  test("may be another for one site, until it is enrolled anew without", async () => {
    const { id } = await send("POST", "/programs", peak);
    const path = `/programs/${id}/sites/${anna.sites[0]?.id}`;
    const baseline = { preset: "meter_before" };
    expect(await send("PUT", path, { commitment: 5, baseline })).toMatchObject({ baseline });
    expect(await send("PUT", path, { commitment: 5 })).toMatchObject({ baseline: null });
  });

  test.each([
    [{ baseline: { preset: "high_9_of_9" } }, /baseline.preset is "high_9_of_9"; give one of high_4_of_5, /],
    [{ baseline: { method: { kind: "flat" } } }, /baseline.method.kw is missing/],
    [{ holidays: ["2026-02-30"] }, /holidays contains "2026-02-30"; give dates as YYYY-MM-DD/],
    [{ status_limits: { ...limits, green_from: 2 } }, /status_limits must rise/],
    [{ status_limits: { ...limits, stale_seconds: 0 } }, /status_limits.stale_seconds is 0; it must be at least 30/],
  ])("is refused when it cannot be carried out: %j", async (settings, message) => {
    expectError(await service.operator(operator.createProgram, { body: { ...peak, ...settings } }), 400, message);
    const { id } = await send("POST", "/programs", peak);
    expectError(await service.operator(operator.changeProgram, { params: { id }, body: settings }), 400, message);
  });
});

describe("an operator's dispatch", () => {
  test("calls every enrolled site with its commitment, and is answered whole", async () => {
    const { id: program_id } = await send("POST", "/programs", peak);
    const [first] = anna.sites.map((site) => site.id);
    await send("PUT", `/programs/${program_id}/sites/${first}`, { commitment: 10 });
    const { status, body } = await service.operator(operator.createDispatch, {
      body: { program_id, ...times(), test: true },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...times(),
      test: true,
      authorized: true,
      creation_time: ahead(service, {}),
      notification_time: ahead(service, {}),
      modification_number: 0,
      program: { id: program_id, ...peak },
      sites: [{ id: first, account_id: anna.accountId, commitment: 10, drop_by: 10 }],
      excluded_sites: [],
    });
    const [{ site_count, commitment_kw, ...listed }] = (await send("GET", "/dispatches")).items;
    expect([site_count, commitment_kw]).toEqual([1, 10]);
    const sites = listed.sites.map((site: object) => ({ ...site, overlaps: [] }));
    expect(body).toEqual({ ...listed, sites, excluded_sites: [] });
    expect(await send("GET", `/dispatches/${body.id}`)).toMatchObject(listed);
  });

  test("calls the sites it names, with their enrolment's commitment unless it says another", async () => {
    const { id: program_id } = await send("POST", "/programs", peak);
    const [first, second] = anna.sites.map((site) => site.id);
    await send("PUT", `/programs/${program_id}/sites/${first}`, { commitment: 10 });
    const issue = async (...sites: object[]) =>
      (await send("POST", "/dispatches", { program_id, ...times(), sites })).sites;
    expect(await issue({ site_id: second }, { site_id: first })).toMatchObject([
      { id: second, commitment: null },
      { id: first, commitment: 10 },
    ]);
    expect(await issue({ site_id: first, commitment: 3 })).toMatchObject([{ commitment: 3, drop_by: 3 }]);
    expect(await issue({ site_id: first, commitment: null })).toMatchObject([{ commitment: null, drop_by: null }]);
  });

  test("is refused without sites, with one named twice, with one that is not there, and without its program", async () => {
    const { id: program_id } = await send("POST", "/programs", peak);
    const issue = (than: object) =>
      service.operator(operator.createDispatch, { body: { program_id, ...times(), ...than } });
    const site_id = anna.sites[0]?.id;
    expectError(await issue({}), 400, /no enrolled sites/);
    expectError(await issue({ sites: [{ site_id }, { site_id }] }), 400, /twice/);
    expectError(await issue({ sites: [{ site_id }, { site_id: "site_0" }] }), 400, /site_0, which does not exist/);
    expectError(await issue({ program_id: "prg_0" }), 400, /program_id is prg_0, which does not exist/);
    expectError(
      await service.operator(operator.changeDispatch, { params: { id: "dis_0" }, body: {} }),
      404,
      /No such dispatch/,
    );
    expectError(await service.operator(operator.getAnyDispatch, { params: { id: "dis_0" } }), 404, /No such dispatch/);
  });
});
