import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../support/expect-error.js";
import { type Running, running } from "../support/running.js";
import { inMinutes, LAKESIDE, listed, newPlayer, type Player, program, scenarioOf } from "../support/scenario.js";

let service: Running;

beforeAll(async () => {
  service = await running({ CURTAIL_RATE_LIMIT: "100000", CURTAIL_RATE_LIMIT_DISPATCHES: "100000" });
});

const scenariosOf = async ({ call }: Pick<Player, "call">): Promise<Array<{ id: string }>> =>
  (await call("GET", "/scenarios")).body.scenarios;

const idsOf = async (player: Player): Promise<string[]> => (await scenariosOf(player)).map(({ id }) => id);

const rowsOf = async (table: string, id: string): Promise<number> => {
  const column = table === "scenarios" ? "id" : "scenario_id";
  return (await service.database.pool.query(`select from sandbox.${table} where ${column} = $1`, [id])).rowCount ?? 0;
};

describe("an account's scenarios", () => {
  test("are listed newest first, as POST answered them, and no other account's", async () => {
    const [player, other] = [await newPlayer(service), await newPlayer(service)];
    expect((await player.call("GET", "/scenarios")).body).toEqual({ page: 0, perPage: 0, scenarios: [] });
    const [first, second] = [await player.play("basic"), await player.play("back_to_back")];
    await other.play("basic");
    expect(await scenariosOf(player)).toEqual([second, first]);
  });

  test("hold those that POST /dispatches made", async () => {
    const player = await newPlayer(service);
    const period = { start_time: inMinutes(service, 10), end_time: inMinutes(service, 20) };
    const { body } = await player.call("POST", "/dispatches", period);
    expect(await scenariosOf(player)).toMatchObject([{ scenario_type: "basic", dispatches: [{ id: body.id }] }]);
  });

  test("are none in production", async () => {
    const { call } = await service.newParticipant();
    expectError(await call("GET", "/scenarios"), 404);
    expectError(await call("DELETE", "/scenarios/scn_1"), 404);
  });

  test("are none for the public key, and it can delete none", async () => {
    const { body } = await service.publicCall("POST", "/scenarios", scenarioOf(service, "basic"));
    expect((await service.publicCall("GET", "/scenarios")).body.scenarios).toEqual([]);
    expectError(await service.publicCall("DELETE", `/scenarios/${body.id}`), 404, /No such scenario/);
  });
});

describe("a scenario that is deleted", () => {
  test("ends: its dispatches vanish, nothing more is notified, and the fixed dispatch is back", async () => {
    const player = await newPlayer(service);
    const scenario = await player.play("basic", { notification_time: inMinutes(service, 5) });
    const deleted = await player.call("DELETE", `/scenarios/${scenario.id}`);
    expect(deleted.status).toBe(200);
    expect(deleted.body).toEqual(scenario);
    expect((await listed(player)).map(({ id }) => id)).toEqual(["dis_sandbox"]);
    expectError(await player.call("GET", `/dispatches/${scenario.dispatches[0]?.id}`), 404);
    service.clock.advance({ minutes: 6 });
    await player.play("basic", { notification_time: inMinutes(service, 0) });
    const [notice] = await player.hook.notices(1);
    expect(notice?.resource).not.toContain(scenario.dispatches[0]?.id);
    expect(player.hook.received.filter(({ event }) => event !== "")).toHaveLength(1);
  });

  test("is gone from the list and has no report; deleted again it is not found", async () => {
    const player = await newPlayer(service);
    const [first, second] = [await player.play("basic"), await player.play("basic")];
    expect((await player.call("DELETE", `/scenarios/${first.id}`)).body).toEqual(first);
    expect(await idsOf(player)).toEqual([second.id]);
    expectError(await player.call("GET", `/scenarios/${first.id}/report`), 404, /No such scenario/);
    expectError(await player.call("DELETE", `/scenarios/${first.id}`), 404, /No such scenario/);
    expect((await player.call("GET", `/dispatches/${first.dispatches[0]?.id}`)).status).toBe(404);
    await player.call("DELETE", `/scenarios/${second.id}`);
    expect(await idsOf(player)).toEqual([]);
    expect((await listed(player)).map(({ id }) => id)).toEqual(["dis_sandbox"]);
  });

  test("is not found where it is another account's or nobody's", async () => {
    const [player, other] = [await newPlayer(service), await newPlayer(service)];
    const { id } = await other.play("basic");
    const foreign = await player.call("DELETE", `/scenarios/${id}`);
    expectError(foreign, 404, /No such scenario/);
    expect((await player.call("DELETE", "/scenarios/scn_none")).text).toBe(foreign.text);
    expect(await idsOf(other)).toEqual([id]);
  });
});

/** As much as a scenario may have: twenty dispatches, a thousand sites named in all, and names that fill 256 KB (G48). */
const largest = () => {
  const long = "\u{1f4a1}".repeat(40);
  const named = Array.from({ length: 50 }, (_, index) => ({
    name: `${long.slice(4)}${index % 10}${Math.trunc(index / 10)}`,
    commitment: 10_000_000,
  }));
  const dispatch = {
    start_time: inMinutes(service, 30),
    end_time: inMinutes(service, 90),
    program: { ...program, name: long, market: long },
    sites: named,
  };
  const states = [{ published_time: inMinutes(service, 5), dispatch }];
  return {
    scenario_type: "custom",
    dispatches: Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`D${index}`, { states }])),
  };
};

describe("what scenarios may cost", () => {
  test("an account keeps 100; those that ended first are removed with all that belongs to them", async () => {
    const player = await newPlayer(service);
    const first = await player.play("basic", { notification_time: inMinutes(service, 0) });
    await player.hook.notices(1);
    await listed(player);
    const second = await player.play("basic");
    for (let count = 0; count < 98; count++) await player.play("basic");
    service.clock.advance({ minutes: 11 });
    expect(await scenariosOf(player)).toHaveLength(100);
    const newest = await player.play("basic");
    const kept = await idsOf(player);
    expect(kept).toHaveLength(100);
    expect(kept[0]).toBe(newest.id);
    expect(kept.at(-1)).toBe(second.id);
    expectError(await player.call("GET", `/scenarios/${first.id}/report`), 404);
    for (const table of ["scenarios", "scenario_steps", "scenario_acts"]) expect(await rowsOf(table, first.id)).toBe(0);
    for (const table of ["dispatch_sites", "dispatch_revisions", "notices", "deliveries"]) {
      const ofFirst = `select from sandbox.${table} where dispatch_id = $1`;
      expect((await service.database.pool.query(ofFirst, [first.dispatches[0]?.id])).rowCount, table).toBe(0);
    }
  }, 60_000);

  test("of the largest an account plays 10 a minute, and of small ones as many as its rate limit allows", async () => {
    const [player, other] = [await newPlayer(service), await newPlayer(service)];
    for (let count = 0; count < 10; count++) {
      expect((await player.call("POST", "/scenarios", largest())).status).toBe(200);
    }
    const answer = await player.call("POST", "/scenarios", largest());
    expectError(answer, 429, /10000 sites within a minute/);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    for (let count = 0; count < 20; count++) await other.play("basic");
    service.clock.advance({ minutes: 1 });
    expect((await player.call("POST", "/scenarios", largest())).status).toBe(200);
  }, 60_000);

  test("what an account keeps names 10,000 sites at most, however few scenarios that are", async () => {
    const player = await newPlayer(service);
    for (let round = 0; round < 2; round++) {
      for (let count = 0; count < 9; count++) {
        expect((await player.call("POST", "/scenarios", largest())).status).toBe(200);
      }
      service.clock.advance({ minutes: 11 });
    }
    expect((await player.call("POST", "/scenarios", largest())).status).toBe(200);
    expect(await idsOf(player)).toHaveLength(10);
    const { rows } = await service.database.pool.query(
      "select count(*)::int as sites from sandbox.dispatch_sites where account_id = $1",
      [player.participant.accountId],
    );
    expect(rows[0]?.sites).toBe(10_000);
  }, 120_000);
});

test("a deleted or replaced scenario keeps the readings of no other: its own report was judged by its own", async () => {
  const player = await newPlayer(service);
  const { id } = await player.play("basic");
  const reading = { interval_seconds: 60, timestamp: inMinutes(service, 0), site_id: LAKESIDE, kW: 1 };
  await player.call("POST", "/telemetry", { telemetry: [reading] });
  await player.call("DELETE", `/scenarios/${id}`);
  expect((await player.call("POST", "/telemetry", { telemetry: [reading] })).body).toEqual({ received: 1 });
});
