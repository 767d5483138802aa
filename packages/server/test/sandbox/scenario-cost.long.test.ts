import { listScenarios, reportScenario } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../support/expect-error.js";
import { type Running, running } from "../support/running.js";
import { inMinutes, listed, newPlayer, type Player, program } from "../support/scenario.js";

let service: Running;

beforeAll(async () => {
  service = await running({ CURTAIL_RATE_LIMIT: "100000", CURTAIL_RATE_LIMIT_DISPATCHES: "100000" });
});

/** The largest scenario: twenty dispatches, a thousand sites in total, and names that fill 256 KB (G48). */
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

const rowsOf = async (table: string, id: string): Promise<number> => {
  const column = table === "scenarios" ? "id" : "scenario_id";
  return (await service.database.pool.query(`select from sandbox.${table} where ${column} = $1`, [id])).rowCount ?? 0;
};

const scenariosOf = async ({ call }: Pick<Player, "call">): Promise<Array<{ id: string }>> =>
  (await call(listScenarios)).body.scenarios;

const idsOf = async (player: Player): Promise<string[]> => (await scenariosOf(player)).map(({ id }) => id);

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
    expectError(await player.call(reportScenario, { params: { id: first.id } }), 404);
    for (const table of ["scenarios", "scenario_steps", "scenario_acts"]) expect(await rowsOf(table, first.id)).toBe(0);
    for (const [table, column = "dispatch_id"] of [
      ["dispatch_sites"],
      ["dispatch_revisions"],
      ["notices"],
      ["messages", "subject"],
    ]) {
      const ofFirst = `select from sandbox.${table} where ${column} = $1`;
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
