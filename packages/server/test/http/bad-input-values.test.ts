import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../support/expect-error.js";
import { type Participant, type Running, running } from "../support/running.js";

let service: Running;
let anna: Participant;
let programId: string;

const program = { name: "Peak", timezone: "UTC", market: "", program_type: "capacity" };

beforeAll(async () => {
  service = await running();
  anna = await service.newParticipant();
  programId = (await service.made("POST", "/programs", program)).id;
});

/** Texts that the database refuses, or that no reader could print. */
const unfit = ["a\u0000b", "\u0000", "line\nbreak", "tab\t", "\u007f", "\ud800", "x\udfffy", "a".repeat(201)];

describe("P: a text that people read", () => {
  test.for(unfit)("is refused as %j", async (text) => {
    const site = `/sites/${anna.sites[0]?.id}`;
    const meter = `/meters/${anna.sites[0]?.meters[0]}`;
    const refused = [
      service.operator("POST", "/accounts", { name: text }),
      service.operator("PATCH", `/accounts/${anna.accountId}`, { name: text }),
      service.operator("POST", `/accounts/${anna.accountId}/sites`, { name: "x", customer_location_id: text }),
      service.operator("POST", `/accounts/${anna.accountId}/sites`, { name: "x", meters: [{ name: text }] }),
      service.operator("PATCH", site, { dispatch_group: text }),
      service.operator("PATCH", meter, { name: text }),
      service.operator("POST", "/programs", { ...program, market: text }),
      service.operator("POST", "/programs", { ...program, timezone: text }),
      service.operator("POST", `/accounts/${anna.accountId}/contacts`, { name: text, email: "a@b.example" }),
    ];
    for (const answer of await Promise.all(refused)) expectError(answer, 400);
  });

  test("may hold any other character, and comes back as it was", async () => {
    for (const name of [
      "🏭 Плотина №7",
      "e\u0301",
      "\u202eabc",
      "'; drop table accounts; --",
      "<b>&amp;",
      "\\u0000",
      "\ufffd",
    ])
      expect(await service.made("POST", "/accounts", { name })).toMatchObject({ name });
  });
});

describe("P: an id with a NUL", () => {
  const paths = operator.operatorEndpoints.filter((each) => each.path.includes("{"));

  test.for(paths.map((each) => [each.method, each.path, each] as const))(
    "is unknown to %s %s",
    async ([method, path, endpoint]) => {
      const body = "body" in endpoint ? goodBodies[endpoint.id] : undefined;
      for (const id of ["%00", "acc_%00", "%F0%9F%8F%AD", "'", "x".repeat(5000)]) {
        expectError(await service.operator(method, path.replaceAll(/\{\w+\}/g, id), body), 404);
      }
    },
  );

  test("is unknown to participants too", async () => {
    expectError(await anna.call("GET", "/dispatches/%00"), 404);
    expectError(await anna.call("GET", "/telemetry/kw?site_id=%00&start_time=2026-01-01T00:00:00Z"), 404);
    const own = `site_id=${anna.sites[0]?.id}&start_time=2026-01-01T00:00:00Z`;
    expectError(await anna.call("GET", `/telemetry/kw?${own}&site_id=a%00b`), 404);
    expectError(await anna.call("GET", `/telemetry/kw?${own}&end_time=%00`), 400, /^end_time/);
  });

  test("is refused in a body, naming the place", async () => {
    const reading = { interval_seconds: 60, timestamp: service.clock.now().toISOString(), units: "kW", value: 1 };
    const telemetry = [{ ...reading, meter_id: "\u0000" }];
    expectError(await anna.call("POST", "/telemetry", { telemetry }), 400, /^telemetry\[0\]\.meter_id/);
    const controllable_load = [{ ...reading, site_id: "site_\u0000" }];
    const load = await anna.call("POST", "/telemetry/controllable-load", { controllable_load });
    expectError(load, 400, /^controllable_load\[0\]\.site_id/);
    const dispatch = { program_id: programId, start_time: "2027-01-01T00:00:00Z" };
    for (const change of [{ program_id: "\u0000" }, { sites: [{ site_id: "\u0000" }] }])
      expectError(await service.operator("POST", "/dispatches", { ...dispatch, ...change }), 400);
  });
});

/** A body that each operation with an id in its path accepts. */
const goodBodies: Readonly<Record<string, unknown>> = {
  changeAccount: { name: "x" },
  createContact: { name: "x", email: "a@b.example" },
  createKey: { environment: "production" },
  createSite: { name: "x" },
  changeSite: { name: "x" },
  createMeter: { name: "x" },
  changeMeter: { name: "x" },
  changeProgram: { name: "x" },
  enrolSite: { commitment: 1 },
  changeDispatch: { authorized: false },
  createVen: { ven_id: "ven-1" },
  changeVen: { market_context: "program" },
  certifyVen: {},
  changeUser: { name: "x" },
  verifySite: { program_id: "x" },
};

describe("P: an operator's number, time or cursor", () => {
  test("that the database could not hold is refused", async () => {
    for (const schedule_cutoff_seconds of [2 ** 31, 1e300, -1, 1.5, "60"])
      expectError(await service.operator("POST", "/programs", { ...program, schedule_cutoff_seconds }), 400);
    for (const commitment of [-1, 10_000_001, "5"])
      expectError(
        await service.operator("PUT", `/programs/${programId}/sites/${anna.sites[0]?.id}`, { commitment }),
        400,
      );
  });

  test.for(["now", "infinity", "2022-02-30T00:00:00Z", "2030-01-01T00:00:00", "300000-01-01T00:00:00Z", "", 5])(
    "%s is no time",
    async (text) => {
      const dispatch = { program_id: programId, start_time: "2027-01-01T00:00:00Z" };
      for (const name of ["start_time", "end_time", "notification_time"])
        expectError(await service.operator("POST", "/dispatches", { ...dispatch, [name]: text }), 400);
      const key = { environment: "production", expires_at: text };
      expectError(await service.operator("POST", `/accounts/${anna.accountId}/keys`, key), 400);
    },
  );

  test("that no page was given with is refused", async () => {
    for (const cursor of ["", "x", "%00", "s1", "99999999999999999999", "czk5OTk5OTk5OTk5OTk5OTk5OTk"])
      expectError(await service.operator("GET", `/accounts?cursor=${cursor}`), 400);
    for (const limit of ["0", "501", "-1", "1e2", "x", "", "9999999999"])
      expectError(await service.operator("GET", `/accounts?limit=${limit}`), 400);
  });

  test("G5: a member that is not known is not stored, inside openadr too", async () => {
    const openadr = { level: 1, ramp_up_seconds: 60, secret: "\ud800", nested: { a: 1 } };
    const { id } = await service.made("POST", "/programs", { ...program, openadr, built_in: true });
    await service.made("PATCH", `/programs/${id}`, { openadr: { level: 2, more: "x" }, id: "x" });
    const answer = await service.operator("GET", `/programs/${id}`);
    expect(answer.body.openadr).toEqual({ level: 2 });
    expect((await service.operator("GET", "/audit?limit=2")).text).not.toMatch(/secret|more/);
  });
});
