import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ahead, listedIds, newProgram } from "../support/dispatching.js";
import { expectError } from "../support/expect-error.js";
import { type Participant, type Running, running } from "../support/running.js";

// Specification, endpoint 3: POST /dispatches (production test dispatch); G15.
let service: Running;
let anna: Participant;

beforeAll(async () => {
  service = await running();
});

beforeEach(async () => {
  anna = await service.newParticipant({ sites: [["main"], ["main"]] });
});

const times = (from = 1, to = 2) => ({
  start_time: ahead(service, { hours: from }),
  end_time: ahead(service, { hours: to }),
});
const request = (body: object = times()) => anna.call("POST", "/dispatches", body);

describe("a test dispatch", () => {
  test("is answered with the dispatch of all the account's sites, and is listed at once", async () => {
    const { status, body } = await request();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...times(),
      authorized: true,
      test: true,
      modification_number: 0,
      program: { name: "Test dispatch", timezone: "UTC", market: "", program_type: "not_specified" },
    });
    expect(body.sites.map((site: { id: string }) => site.id)).toEqual(anna.sites.map((site) => site.id));
    expect((await anna.call("GET", "/dispatches")).body.dispatches).toEqual([body]);
  });

  test("has the commitment of each site's largest enrolment, null where there is none", async () => {
    const [first, second] = anna.sites;
    for (const commitment of [20, 80, 50, null]) {
      const program = await newProgram(service, [], { name: `${commitment}` });
      await service.made("PUT", `/programs/${program}/sites/${first?.id}`, { commitment });
    }
    const without = await newProgram(service, []);
    await service.made("PUT", `/programs/${without}/sites/${second?.id}`, { commitment: null });
    const { body } = await request();
    expect(body.sites).toMatchObject([
      { id: first?.id, commitment: 80, drop_by: 80 },
      { id: second?.id, commitment: null, drop_by: null },
    ]);
  });

  test("leaves out a site that is not available then (G18)", async () => {
    const [first, second] = anna.sites;
    await anna.call("POST", `/schedule/sites/${first?.id}`, { available: false, ...times() });
    expect((await request()).body.sites).toMatchObject([{ id: second?.id }]);
    expect((await request(times(2, 3))).body.sites).toHaveLength(2);
  });

  test("is refused when no site is left, and when there was none", async () => {
    for (const site of anna.sites)
      await anna.call("POST", `/schedule/sites/${site.id}`, { available: false, ...times() });
    expectError(await request(), 400, /no site is available/);
    const bare = await service.newParticipant({ sites: [] });
    expectError(await bare.call("POST", "/dispatches", times()), 400, /no sites yet/);
  });

  test("lies wholly in the future", async () => {
    expectError(await request(times(-1, 1)), 400, /start_time must lie in the future/);
    expectError(await request(times(0, 1)), 400, /start_time must lie in the future/);
    expectError(await request(times(-2, -1)), 400, /must lie in the future/);
    expect(await listedIds(anna)).toEqual([]);
  });

  test("ends after it starts, and starts within a year", async () => {
    expectError(await request(times(2, 2)), 400, /end_time must be after start_time/);
    expectError(await request(times(367 * 24, 368 * 24)), 400, /at most a year ahead/);
  });

  test("takes offsets and answers in UTC (G8)", async () => {
    const { start_time, end_time } = times();
    const shifted = new Date(Date.parse(start_time) + 2 * 3_600_000).toISOString().replace("Z", "+02:00");
    expect((await request({ start_time: shifted, end_time })).body).toMatchObject({ start_time, end_time });
  });

  test("is the account's own: nobody else sees it, and its key is its author", async () => {
    const { body } = await request();
    const ben = await service.newParticipant();
    expect(await listedIds(ben)).toEqual([]);
    const { revisions } = (await service.operator("GET", `/dispatches/${body.id}`)).body;
    expect(revisions).toMatchObject([{ actor: `key:${anna.keyId}` }]);
  });

  test("can be cancelled and ended by the operator like any other", async () => {
    const { body } = await request();
    await service.made("PATCH", `/dispatches/${body.id}`, { authorized: false });
    expect((await anna.call("GET", `/dispatches/${body.id}`)).body).toMatchObject({ authorized: false, test: true });
  });

  test("keeps its program out of the operator's hands", async () => {
    const { body } = await request();
    const { items } = (await service.operator("GET", "/programs?limit=500")).body;
    expect(items.map((each: { id: string }) => each.id)).not.toContain(body.program.id);
    const issued = { program_id: body.program.id, start_time: ahead(service, { hours: 1 }) };
    expectError(await service.operator("POST", "/dispatches", issued), 400, /program_id is .*does not exist/);
    expectError(await service.operator("GET", `/programs/${body.program.id}`), 404);
    expectError(await service.operator("PATCH", `/programs/${body.program.id}`, { name: "Mine" }), 404);
  });
});
