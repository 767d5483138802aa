import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../support/expect-error.js";
import { type Participant, type Running, running } from "../support/running.js";

let service: Running;
let anna: Participant;

beforeAll(async () => {
  service = await running();
  anna = await service.newParticipant();
});

const at = (seconds: number): string => new Date(service.clock.now().getTime() + seconds * 1000).toISOString();
const good = () => ({ start_time: at(600), end_time: at(1200) });

const expectRefused = async (change: object, message: RegExp): Promise<void> => {
  expectError(await anna.call("POST", "/dispatches", { ...good(), ...change }), 400, message);
  expect((await anna.call("GET", "/dispatches")).body.dispatches).toEqual([]);
};

describe("POST /dispatches", () => {
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
    await expectRefused({ start_time: text }, /^start_time (is .*RFC 3339|holds)/);
    await expectRefused({ end_time: text }, /^end_time (is .*RFC 3339|holds)/);
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
    expectError(await bare.call("POST", "/dispatches", good()), 400, /no sites/);
  });

  test("ignores members it does not know, whatever they claim", async () => {
    const body = { ...good(), id: "dis_mine", test: false, account_id: "acc_x", authorized: false, sites: [] };
    const created = await anna.call("POST", "/dispatches", body);
    expect(created.status).toBe(200);
    expect(created.body).toMatchObject({ test: true, authorized: true, program: { name: "Test dispatch" } });
    expect(created.body.id).not.toBe("dis_mine");
    expect(created.body.sites).toHaveLength(1);
    expect((await anna.call("GET", `/dispatches/${created.body.id}`)).text).toBe(created.text);
  });
});
