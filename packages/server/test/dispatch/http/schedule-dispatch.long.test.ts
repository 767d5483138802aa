import { changeSchedule, operator as contract, createTestDispatch } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { anna, block, period, prepare, prepareBlock, service, siteId } from "../../support/blocked-sites.js";
import { ahead, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import type { Answer } from "../../support/http-client.js";
import type { Participant } from "../../support/running.js";

beforeAll(prepare);

// Specification, endpoint 5: when availability is turned off, the site is not dispatched in the period; G18.
describe("a dispatch over a block", () => {
  beforeEach(prepareBlock);

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
