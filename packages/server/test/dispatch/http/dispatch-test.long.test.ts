import { changeSchedule, createTestDispatch, deleteWebhook, getDispatch, operator } from "@curtail/contract";
import { receiver } from "@curtail/testing/receiver";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { alarmsAbout, judgeOnce } from "../../support/alarms.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { dispatchBetween, performanceOf } from "../../support/measuring.js";
import {
  anna,
  ask,
  cancelTests,
  limited,
  prepare,
  prepareAccount,
  prepareTwoSites,
  request,
  service,
  times,
} from "../../support/tests-of-participants.js";
import { poll, subscribe } from "../../support/unreachable.js";

beforeAll(prepare);

// Specification, endpoint 3: POST /dispatches (production test dispatch); G15.
describe("a test dispatch", () => {
  beforeEach(prepareTwoSites);

  test("has the commitment of each site's largest enrolment, null where there is none", async () => {
    const [first, second] = anna.sites;
    for (const commitment of [20, 80, 50, null]) {
      const program = await newProgram(service, [], { name: `${commitment}` });
      await service.made(operator.enrolSite, {
        params: { id: program, site_id: first?.id ?? "" },
        body: { commitment },
      });
    }
    const without = await newProgram(service, []);
    await service.made(operator.enrolSite, {
      params: { id: without, site_id: second?.id ?? "" },
      body: { commitment: null },
    });
    const { body } = await request();
    expect(body.sites).toMatchObject([
      { id: first?.id, commitment: 80, drop_by: 80 },
      { id: second?.id, commitment: null, drop_by: null },
    ]);
  });

  test("leaves out a site that is not available then (G18)", async () => {
    const [first, second] = anna.sites;
    await anna.call(changeSchedule, { params: { site_id: first?.id ?? "" }, body: { available: false, ...times() } });
    expect((await request()).body.sites).toMatchObject([{ id: second?.id }]);
    expect((await request(times(2, 3))).body.sites).toHaveLength(2);
  });

  test("is refused when no site is left, and when there was none", async () => {
    for (const site of anna.sites)
      await anna.call(changeSchedule, { params: { site_id: site.id }, body: { available: false, ...times() } });
    expectError(await request(), 400, /no site is available/);
    const bare = await service.newParticipant({ sites: [] });
    expectError(await bare.call(createTestDispatch, { body: times() }), 400, /no sites yet/);
  });

  test("takes offsets and answers in UTC (G8)", async () => {
    const { start_time, end_time } = times();
    const shifted = new Date(Date.parse(start_time) + 2 * 3_600_000).toISOString().replace("Z", "+02:00");
    expect((await request({ start_time: shifted, end_time })).body).toMatchObject({ start_time, end_time });
  });

  test("can be cancelled and ended by the operator like any other", async () => {
    const { body } = await request();
    await service.made(operator.changeDispatch, { params: { id: body.id }, body: { authorized: false } });
    expect((await anna.call(getDispatch, { params: { id: body.id } })).body).toMatchObject({
      authorized: false,
      test: true,
    });
  });

  test("keeps its program out of the operator's hands", async () => {
    const { body } = await request();
    const { items } = (await service.operator(operator.listPrograms, { query: { limit: 500 } })).body;
    expect(items.map((each) => each.id)).not.toContain(body.program.id);
    const issued = { program_id: body.program.id, start_time: ahead(service, { hours: 1 }) };
    expectError(
      await service.operator(operator.createDispatch, { body: issued }),
      400,
      /program_id is .*does not exist/,
    );
    expectError(await service.operator(operator.getProgram, { params: { id: body.program.id } }), 404);
    expectError(
      await service.operator(operator.changeProgram, { params: { id: body.program.id }, body: { name: "Mine" } }),
      404,
    );
  });
});

// G47: limits of an account's own tests.
describe("the limits of tests", () => {
  beforeEach(prepareAccount);

  describe("an account's own tests", () => {
    test("are 3 however many are asked for at once", async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => ask()));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
      expect(answers.filter(({ status }) => status === 400)).toHaveLength(5);
    });

    test("make room when one is cancelled, and when one is over", async () => {
      const [first] = [await ask(), await ask(), await ask()];
      await service.made(operator.changeDispatch, { params: { id: first.body.id }, body: { authorized: false } });
      expect((await ask()).status).toBe(200);
      expectError(await ask(), 400);
      service.clock.set(new Date(Date.parse(first.body.end_time ?? "") + 1000));
      expect((await ask()).status).toBe(200);
    });

    test("leave room for the operator's tests, and the other way round", async () => {
      const program_id = await newProgram(service, [limited]);
      for (let made = 0; made < 4; made++) await newDispatch(service, program_id, { test: true });
      expect((await ask()).status).toBe(200);
    });
  });

  describe("POST /accounts/{id}/tests/cancel", () => {
    test("notifies the participant and keeps an audit entry of each, as of any cancel", async () => {
      const { id } = (await ask()).body;
      await cancelTests();
      expect((await limited.call(getDispatch, { params: { id } })).body).toMatchObject({
        authorized: false,
        modification_number: 1,
      });
      const { rows } = await service.database.pool.query(
        "select event from notices where dispatch_id = $1 order by seq",
        [id],
      );
      expect(rows).toEqual([{ event: "dispatch.create" }, { event: "dispatch.update" }]);
      const { items } = (await service.operator(operator.listAudit, { query: { subject: id } })).body;
      expect(items[0]).toMatchObject({ action: "dispatch.cancel", actor: "operator" });
    });
  });

  describe("an account's own test", () => {
    test("raises no alarm of stale telemetry or a deleted webhook, unlike an operator's dispatch", async () => {
      const webhookId = await subscribe(limited, await receiver());
      const soon = { start_time: ahead(service, { minutes: 10 }), end_time: ahead(service, { hours: 1 }) };
      const { id } = (await limited.call(createTestDispatch, { body: soon })).body;
      await limited.call(deleteWebhook, { params: { id: webhookId } });
      await judgeOnce(service);
      expect(await alarmsAbout(service, { kind: "telemetry_stale", id })).toEqual([]);
      expect(await alarmsAbout(service, { kind: "last_webhook_deleted", id: limited.accountId })).toEqual([]);
      const issued = await newDispatch(service, await newProgram(service, [limited]), soon);
      await judgeOnce(service);
      expect(await alarmsAbout(service, { kind: "telemetry_stale", id: issued.id })).toHaveLength(1);
    });

    test("is measured only while somebody looks: it gets no final result, unlike an operator's dispatch", async () => {
      const { id } = (await ask()).body;
      const { start_time, end_time } = times();
      const issued = await dispatchBetween(service, await newProgram(service, [limited]), [start_time, end_time]);
      service.clock.advance({ hours: 6 });
      await poll(async () => (await performanceOf(service, issued)).state, "final");
      expect(await performanceOf(service, id)).toMatchObject({ state: "ended", versions: [] });
    }, 20_000);
  });
});
