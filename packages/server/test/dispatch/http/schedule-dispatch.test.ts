import {
  changeSchedule,
  operator as contract,
  createTestDispatch,
  getDispatch,
  listDispatches,
} from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import type { Answer } from "../../support/http-client.js";
import { type Participant, type Running, running } from "../../support/running.js";

let service: Running;

beforeAll(async () => {
  service = await running({ CURTAIL_RATE_LIMIT: "100000" });
});

const period = (from: number, to: number) => ({
  start_time: ahead(service, { hours: from }),
  end_time: ahead(service, { hours: to }),
});

// Specification, endpoint 5: when availability is turned off, the site is not dispatched in the period; G18.
describe("a dispatch over a block", () => {
  let anna: Participant;
  let siteId: string;

  beforeEach(async () => {
    anna = await service.newParticipant();
    siteId = anna.sites[0]?.id ?? "";
  });

  const block = (from: number, to: number) =>
    anna.call(changeSchedule, { params: { site_id: siteId }, body: { available: false, ...period(from, to) } });
  const stored = async () => (await service.operator(contract.listSchedule, { params: { id: siteId } })).body.items;

  test("leaves the site out and says so to the operator", async () => {
    const ben = await service.newParticipant();
    const program = await newProgram(service, [anna, ben]);
    await block(2, 4);
    const { body } = await service.operator(contract.createDispatch, {
      body: { program_id: program, ...period(3, 5) },
    });
    expect(body.sites).toMatchObject([{ id: ben.sites[0]?.id }]);
    expect(body.excluded_sites).toEqual([{ site_id: siteId, reason: expect.stringMatching(/not available/) }]);
    expect((await anna.call(listDispatches)).body.dispatches).toEqual([]);
  });

  test("holds the site when they only touch", async () => {
    const program = await newProgram(service, [anna]);
    await block(2, 4);
    for (const [from, to] of [
      [1, 2],
      [4, 5],
    ] as const) {
      const { body } = await service.operator(contract.createDispatch, {
        body: { program_id: program, ...period(from, to) },
      });
      expect(body).toMatchObject({ sites: [{ id: siteId }], excluded_sites: [] });
    }
  });

  test("without an end counts as 24 hours", async () => {
    const program = await newProgram(service, [anna]);
    await block(30, 31);
    const issue = (hours: number) =>
      service.operator(contract.createDispatch, {
        body: { program_id: program, start_time: ahead(service, { hours }) },
      });
    expect((await issue(6)).status).toBe(201);
    expectError(await issue(6.01), 400, /no site is available in the period/);
  });

  test("is refused when no site is left", async () => {
    const program = await newProgram(service, [anna]);
    await block(1, 5);
    const body = { program_id: program, ...period(2, 3) };
    expectError(await service.operator(contract.createDispatch, { body }), 400, /no site is available in the period/);
    const named = { ...body, sites: [{ site_id: siteId }] };
    expectError(
      await service.operator(contract.createDispatch, { body: named }),
      400,
      /no site is available in the period/,
    );
  });

  test("that holds the site already stays as it is", async () => {
    const program = await newProgram(service, [anna]);
    const { id } = await newDispatch(service, program, period(2, 4));
    const before = await anna.call(getDispatch, { params: { id } });
    expect((await block(1, 5)).status).toBe(200);
    expect((await anna.call(getDispatch, { params: { id } })).text).toBe(before.text);
  });

  test("holds the site again when the operator removed the block", async () => {
    const program = await newProgram(service, [anna]);
    await block(1, 5);
    const [kept] = await stored();
    expect((await service.operator(contract.deleteScheduleBlock, { params: { id: kept?.id ?? "" } })).status).toBe(204);
    expect((await newDispatch(service, program, period(2, 3))).id).toMatch(/^dis_/);
  });
});

/** Ids of the stored dispatches that include the site in the hour. */
const holding = async (siteId: string, start_time: string): Promise<string[]> => {
  const { rows } = await service.database.pool.query<{ id: string }>(
    `select id from dispatches join dispatch_sites on dispatch_id = id
   where site_id = $1 and start_time = $2 order by id`,
    [siteId, start_time],
  );
  return rows.map((row) => row.id);
};

const hour = (at: number) => ({
  start_time: ahead(service, { hours: at }),
  end_time: ahead(service, { hours: at + 1 }),
});

describe("blocks and dispatches at once", () => {
  // G18: after the 200 of a block, no dispatch is ever created with the site in that period, however the two race.
  const ROUNDS = 12;
  const WRITERS = 3;

  let anna: Participant;
  let programId: string;

  beforeAll(async () => {
    anna = await service.newParticipant({ sites: Array.from({ length: 4 }, () => ["main"]) });
    programId = await newProgram(service, [anna]);
  });

  test("a block that was answered with 200 holds against every dispatch that comes after", async () => {
    const raced = { before: 0, excluded: 0 };
    for (let round = 1; round <= ROUNDS; round++) {
      const times = hour(round * 2);
      const blocked = new Set<string>();
      const issueUntilBlocked = async (send: () => Promise<Answer>): Promise<void> => {
        // Two more after the last block, which must find every site blocked.
        for (let more = 2; more > 0; more -= blocked.size === anna.sites.length ? 1 : 0) {
          const taken = new Set(blocked);
          const { body } = await send();
          const called: string[] = (body.sites ?? []).map((site: { id: string }) => site.id);
          expect(called.filter((id) => taken.has(id))).toEqual([]);
        }
      };
      const block = async (siteId: string) => {
        const { status } = await anna.call(changeSchedule, {
          params: { site_id: siteId },
          body: { available: false, ...times },
        });
        expect(status).toBe(200);
        blocked.add(siteId);
        return { siteId, atThe200: await holding(siteId, times.start_time) };
      };
      const operator = () => service.operator(contract.createDispatch, { body: { program_id: programId, ...times } });
      const own = () => anna.call(createTestDispatch, { body: times });
      const writers = Array.from({ length: WRITERS }, (_, index) => issueUntilBlocked(index === 0 ? own : operator));
      const blocks = await Promise.all(anna.sites.map((site) => block(site.id)));
      await Promise.all(writers);
      for (const { siteId, atThe200 } of blocks) {
        expect(await holding(siteId, times.start_time)).toEqual(atThe200);
        raced.before += atThe200.length;
      }
      raced.excluded +=
        (await service.operator(contract.createDispatch, { body: { program_id: programId, ...times } })).status === 400
          ? 1
          : 0;
    }
    // Control: dispatches won some of these races, and lost all later ones.
    expect(raced.before).toBeGreaterThan(0);
    expect(raced.excluded).toBe(ROUNDS);
  });
});
