import { createTestDispatch, getDispatch, listDispatches, operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { listedIds, newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import type { Participant } from "../../support/running.js";
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

beforeAll(prepare);

const refused = async (program_id: string) => {
  const answer = await request({ ...times(), program_id });
  expectError(answer, 400, /give a program in which the account has enrolled sites/);
  return answer.text.replace(program_id, "");
};

// Specification, endpoint 3: POST /dispatches (production test dispatch); G15.
describe("a test dispatch", () => {
  beforeEach(prepareTwoSites);

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

    expect(await refused(theirs)).toBe(await refused("prg_0000000000000000"));
    expect((await request({ ...times(), program_id: null })).body.program.name).toBe("Test dispatch");
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

  test("is the account's own: nobody else sees it, and its key is its author", async () => {
    const { body } = await request();
    const ben = await service.newParticipant();
    expect(await listedIds(ben)).toEqual([]);
    const { revisions } = (await service.operator(operator.getAnyDispatch, { params: { id: body.id } })).body;
    expect(revisions).toMatchObject([{ actor: `key:${anna.keyId}` }]);
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

const authorized = async (id: string) =>
  (await service.operator(operator.getAnyDispatch, { params: { id } })).body.authorized;

// G47: limits of an account's own tests.
describe("the limits of tests", () => {
  beforeEach(prepareAccount);

  describe("an account's own tests", () => {
    test("are at most 3 unfinished ones", async () => {
      for (let made = 0; made < 3; made++) expect((await ask()).status).toBe(200);
      expectError(await ask(), 400, /already has 3 unfinished test dispatches, the maximum/);
      expect(await listedIds(limited)).toHaveLength(3);
      const ben = await service.newParticipant();
      expect((await ben.call(createTestDispatch, { body: times() })).status).toBe(200);
    });

    test("are at most 24 hours long", async () => {
      expectError(await ask(1, 25 + 1 / 3600), 400, /a test dispatch lasts at most 24 hours/);
      expect((await ask(1, 25)).status).toBe(200);
    });
  });

  describe("POST /accounts/{id}/tests/cancel", () => {
    test("cancels every unfinished test of the account, and nothing else", async () => {
      const issued = await newDispatch(service, await newProgram(service, [limited]), { test: true });
      const ben = await service.newParticipant();
      const others = (await ben.call(createTestDispatch, { body: times() })).body;
      const own = [(await ask()).body.id, (await ask()).body.id];
      const { status, body } = await cancelTests();
      expect(status).toBe(200);
      expect(body.cancelled).toEqual(own);

      expect(await Promise.all([...own, issued.id, others.id].map(authorized))).toEqual([false, false, true, true]);
      expect((await cancelTests()).body).toEqual({ cancelled: [] });
    });

    test("is 404 for an account that does not exist", async () => {
      expectError(await cancelTests("acc_none"), 404);
    });
  });
});
