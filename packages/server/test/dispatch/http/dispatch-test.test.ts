import {
  changeSchedule,
  createTestDispatch,
  deleteWebhook,
  getDispatch,
  listDispatches,
  operator,
} from "@curtail/contract";
import { receiver } from "@curtail/testing/receiver";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { alarmsAbout, judgeOnce } from "../../support/alarms.js";
import { ahead, listedIds, newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { dispatchBetween, performanceOf } from "../../support/measuring.js";
import { type Participant, type Running, running } from "../../support/running.js";
import { poll, subscribe } from "../../support/unreachable.js";

let service: Running;

beforeAll(async () => {
  service = await running();
});

const times = (from = 1, to = 2) => ({
  start_time: ahead(service, { hours: from }),
  end_time: ahead(service, { hours: to }),
});

// Specification, endpoint 3: POST /dispatches (production test dispatch); G15.
describe("a test dispatch", () => {
  let anna: Participant;

  beforeEach(async () => {
    anna = await service.newParticipant({ sites: [["main"], ["main"]] });
  });

  const request = (body: object = times()) => anna.call("POST", "/dispatches", body);

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
    expect((await anna.call(listDispatches)).body.dispatches).toEqual([body]);
  });

  // G59.
  test("of a program includes the account's sites in it with their commitments there, and stays the account's own", async () => {
    const [first, second] = anna.sites;
    const [small, large] = [await newProgram(service, []), await newProgram(service, [], { name: "Large" })];
    const enrol = (program: string, commitment: number, site = first) =>
      service.made(operator.enrolSite, { params: { id: program, site_id: site?.id ?? "" }, body: { commitment } });
    await enrol(small, 20);
    await enrol(large, 80);
    await enrol(large, 70, second);
    const { status, body } = await request({ ...times(), program_id: small });
    expect([status, body.program.id, body.test]).toEqual([200, small, true]);
    expect(body.sites).toMatchObject([{ id: first?.id, commitment: 20, drop_by: 20 }]);
    // Like any test of its own, it is cancelled with them, and owes nobody anything.
    const { rows } = await service.database.pool.query(
      "select from notices where dispatch_id = $1 and owed_look_at is not null",
      [body.id],
    );
    expect(rows).toEqual([]);
    const cancelled = await service.made(operator.cancelTests, { params: { id: anna.accountId } });
    expect(cancelled).toEqual({ cancelled: [body.id] });
  });

  test("E14: of a program of others, or of none, is refused alike, and null is no program", async () => {
    const bert = await service.newParticipant();
    const theirs = await newProgram(service, [bert]);
    const refused = async (program_id: string) => {
      const answer = await request({ ...times(), program_id });
      expectError(answer, 400, /give a program in which the account has enrolled sites/);
      return answer.text.replace(program_id, "");
    };
    expect(await refused(theirs)).toBe(await refused("prg_0000000000000000"));
    expect((await request({ ...times(), program_id: null })).body.program.name).toBe("Test dispatch");
  });

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

  test("lies wholly in the future", async () => {
    expectError(await request(times(-1, 1)), 400, /start_time must be in the future/);
    expectError(await request(times(0, 1)), 400, /start_time must be in the future/);
    expectError(await request(times(-2, -1)), 400, /must be in the future/);
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
    const { revisions } = (await service.operator(operator.getAnyDispatch, { params: { id: body.id } })).body;
    expect(revisions).toMatchObject([{ actor: `key:${anna.keyId}` }]);
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

const at = (seconds: number): string => new Date(service.clock.now().getTime() + seconds * 1000).toISOString();

const good = () => ({ start_time: at(600), end_time: at(1200) });

describe("POST /dispatches", () => {
  let anna: Participant;

  beforeAll(async () => {
    anna = await service.newParticipant();
  });

  const expectRefused = async (change: object, message: RegExp): Promise<void> => {
    expectError(await anna.call(createTestDispatch, { body: { ...good(), ...change } }), 400, message);
    expect((await anna.call(listDispatches)).body.dispatches).toEqual([]);
  };

  test("E1: refuses a start in the past, and now", async () => {
    await expectRefused({ start_time: at(-1) }, /start_time/);
    await expectRefused({ start_time: at(0) }, /start_time/);
  });

  test("E2: refuses an end in the past", () =>
    expectRefused({ start_time: at(-7200), end_time: at(-3600) }, /start_time|end_time/));

  test("E4: refuses an end that is not after the start", async () => {
    await expectRefused({ end_time: at(600) }, /end_time/);
    await expectRefused({ end_time: at(599) }, /end_time/);
  });

  test.for(["start_time", "end_time"])("E5: refuses %s when missing, null, a number, empty or a list", async (name) => {
    for (const value of [undefined, null, 1_900_000_000, 1_900_000_000_000, "", [], [at(600)], {}, true])
      await expectRefused({ [name]: value }, new RegExp(`^${name}`));
  });

  test.for([
    "2030-02-30T00:00:00Z",
    "2030-02-29T00:00:00Z",
    "2030-01-01T25:00:00Z",
    "2030-01-01T24:00:00Z",
    "2030-06-30T23:59:60Z",
    "2030-13-01T00:00:00Z",
    "2030-01-01T00:00:00",
    "2030-01-01T00:00:00+0100",
    "2030-01-01T00:00:00+24:00",
    "2030-01-01 00:00:00Z",
    "2030-01-01",
    "2030-01-01T00:00Z",
    "+002030-01-01T00:00:00Z",
    "300000-01-01T00:00:00Z",
    "now",
    "tomorrow",
    "infinity",
    "-infinity",
    " 2030-01-01T00:00:00Z",
    "2030-01-01T00:00:00Z\u0000",
    "٢٠٣٠-01-01T00:00:00Z",
  ])("E7: refuses the time %s", async (text) => {
    await expectRefused({ start_time: text }, /^start_time (is .*RFC 3339|contains)/);
    await expectRefused({ end_time: text }, /^end_time (is .*RFC 3339|contains)/);
  });

  test.for(["9999-12-31T23:59:59Z", "0000-01-01T00:00:00Z", "1969-12-31T23:59:59Z"])(
    "P: refuses the year of %s",
    async (text) => {
      await expectRefused({ start_time: text }, /^start_time/);
      await expectRefused({ end_time: text }, /^end_time/);
    },
  );

  test("G16: refuses a start more than a year ahead and a length of more than 31 days", async () => {
    const day = 86_400;
    await expectRefused({ start_time: at(367 * day), end_time: at(367 * day + 60) }, /a year/);
    await expectRefused({ start_time: at(60), end_time: at(61 + 31 * day) }, /31 days/);
  });

  test("E13: refuses a test of an account without sites", async () => {
    const bare = await service.newParticipant({ sites: [] });
    expectError(await bare.call(createTestDispatch, { body: good() }), 400, /no sites/);
  });

  test("ignores members it does not know, whatever they claim", async () => {
    const body = { ...good(), id: "dis_mine", test: false, account_id: "acc_x", authorized: false, sites: [] };
    const created = await anna.call(createTestDispatch, { body });
    expect(created.status).toBe(200);
    expect(created.body).toMatchObject({ test: true, authorized: true, program: { name: "Test dispatch" } });
    expect(created.body.id).not.toBe("dis_mine");
    expect(created.body.sites).toHaveLength(1);
    expect((await anna.call(getDispatch, { params: { id: created.body.id } })).text).toBe(created.text);
  });
});

// G47: limits of an account's own tests.
describe("the limits of tests", () => {
  let anna: Participant;

  beforeEach(async () => {
    anna = await service.newParticipant();
  });

  const request = (from = 1, to = 2) =>
    anna.call(createTestDispatch, {
      body: {
        start_time: ahead(service, { hours: from }),
        end_time: ahead(service, { hours: to }),
      },
    });

  const cancelTests = (accountId = anna.accountId) =>
    service.operator(operator.cancelTests, { params: { id: accountId } });

  describe("an account's own tests", () => {
    test("are at most 3 unfinished ones", async () => {
      for (let made = 0; made < 3; made++) expect((await request()).status).toBe(200);
      expectError(await request(), 400, /already has 3 unfinished test dispatches, the maximum/);
      expect(await listedIds(anna)).toHaveLength(3);
      const ben = await service.newParticipant();
      expect((await ben.call(createTestDispatch, { body: times() })).status).toBe(200);
    });

    test("are 3 however many are asked for at once", async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => request()));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
      expect(answers.filter(({ status }) => status === 400)).toHaveLength(5);
    });

    test("make room when one is cancelled, and when one is over", async () => {
      const [first] = [await request(), await request(), await request()];
      await service.made(operator.changeDispatch, { params: { id: first.body.id }, body: { authorized: false } });
      expect((await request()).status).toBe(200);
      expectError(await request(), 400);
      service.clock.set(new Date(Date.parse(first.body.end_time ?? "") + 1000));
      expect((await request()).status).toBe(200);
    });

    test("leave room for the operator's tests, and the other way round", async () => {
      const program_id = await newProgram(service, [anna]);
      for (let made = 0; made < 4; made++) await newDispatch(service, program_id, { test: true });
      expect((await request()).status).toBe(200);
    });

    test("are at most 24 hours long", async () => {
      expectError(await request(1, 25 + 1 / 3600), 400, /a test dispatch lasts at most 24 hours/);
      expect((await request(1, 25)).status).toBe(200);
    });
  });

  describe("POST /accounts/{id}/tests/cancel", () => {
    test("cancels every unfinished test of the account, and nothing else", async () => {
      const issued = await newDispatch(service, await newProgram(service, [anna]), { test: true });
      const ben = await service.newParticipant();
      const others = (await ben.call(createTestDispatch, { body: times() })).body;
      const own = [(await request()).body.id, (await request()).body.id];
      const { status, body } = await cancelTests();
      expect(status).toBe(200);
      expect(body.cancelled).toEqual(own);
      const authorized = async (id: string) =>
        (await service.operator(operator.getAnyDispatch, { params: { id } })).body.authorized;
      expect(await Promise.all([...own, issued.id, others.id].map(authorized))).toEqual([false, false, true, true]);
      expect((await cancelTests()).body).toEqual({ cancelled: [] });
    });

    test("notifies the participant and keeps an audit entry of each, as of any cancel", async () => {
      const { id } = (await request()).body;
      await cancelTests();
      expect((await anna.call(getDispatch, { params: { id } })).body).toMatchObject({
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

    test("is 404 for an account that does not exist", async () => {
      expectError(await cancelTests("acc_none"), 404);
    });
  });

  describe("an account's own test", () => {
    test("raises no alarm of stale telemetry or a deleted webhook, unlike an operator's dispatch", async () => {
      const webhookId = await subscribe(anna, await receiver());
      const soon = { start_time: ahead(service, { minutes: 10 }), end_time: ahead(service, { hours: 1 }) };
      const { id } = (await anna.call(createTestDispatch, { body: soon })).body;
      await anna.call(deleteWebhook, { params: { id: webhookId } });
      await judgeOnce(service);
      expect(await alarmsAbout(service, { kind: "telemetry_stale", id })).toEqual([]);
      expect(await alarmsAbout(service, { kind: "last_webhook_deleted", id: anna.accountId })).toEqual([]);
      const issued = await newDispatch(service, await newProgram(service, [anna]), soon);
      await judgeOnce(service);
      expect(await alarmsAbout(service, { kind: "telemetry_stale", id: issued.id })).toHaveLength(1);
    });

    test("is measured only while somebody looks: it gets no final result, unlike an operator's dispatch", async () => {
      const { id } = (await request()).body;
      const { start_time, end_time } = times();
      const issued = await dispatchBetween(service, await newProgram(service, [anna]), [start_time, end_time]);
      service.clock.advance({ hours: 6 });
      await poll(async () => (await performanceOf(service, issued)).state, "final");
      expect(await performanceOf(service, id)).toMatchObject({ state: "ended", versions: [] });
    }, 20_000);
  });
});
