import { beforeAll, expect, test } from "vitest";
import { ahead, newProgram } from "../support/dispatching.js";
import type { Answer } from "../support/http-client.js";
import { type Participant, type Running, running } from "../support/running.js";

// G18: after the 200 of a block no dispatch is ever created that holds the site in that period, however the two race.
const ROUNDS = 12;
const WRITERS = 3;

let service: Running;
let anna: Participant;
let programId: string;

beforeAll(async () => {
  service = await running({ CURTAIL_RATE_LIMIT: "100000" });
  anna = await service.newParticipant({ sites: Array.from({ length: 4 }, () => ["main"]) });
  programId = await newProgram(service, [anna]);
});

const hour = (at: number) => ({
  start_time: ahead(service, { hours: at }),
  end_time: ahead(service, { hours: at + 1 }),
});

/** Ids of the stored dispatches that hold the site in the hour. */
const holding = async (siteId: string, start_time: string): Promise<string[]> => {
  const { rows } = await service.database.pool.query<{ id: string }>(
    `select id from dispatches join dispatch_sites on dispatch_id = id
     where site_id = $1 and start_time = $2 order by id`,
    [siteId, start_time],
  );
  return rows.map((row) => row.id);
};

test("a block that was answered with 200 holds against every dispatch that comes after", async () => {
  const raced = { before: 0, excluded: 0 };
  for (let round = 1; round <= ROUNDS; round++) {
    const times = hour(round * 2);
    const blocked = new Set<string>();
    const issueUntilBlocked = async (send: () => Promise<Answer>): Promise<void> => {
      // Two more after the last block: these must find every site taken.
      for (let more = 2; more > 0; more -= blocked.size === anna.sites.length ? 1 : 0) {
        const taken = new Set(blocked);
        const { body } = await send();
        const called: string[] = (body.sites ?? []).map((site: { id: string }) => site.id);
        expect(called.filter((id) => taken.has(id))).toEqual([]);
      }
    };
    const block = async (siteId: string) => {
      const { status } = await anna.call("POST", `/schedule/sites/${siteId}`, { available: false, ...times });
      expect(status).toBe(200);
      blocked.add(siteId);
      return { siteId, atThe200: await holding(siteId, times.start_time) };
    };
    const operator = () => service.operator("POST", "/dispatches", { program_id: programId, ...times });
    const own = () => anna.call("POST", "/dispatches", times);
    const writers = Array.from({ length: WRITERS }, (_, index) => issueUntilBlocked(index === 0 ? own : operator));
    const blocks = await Promise.all(anna.sites.map((site) => block(site.id)));
    await Promise.all(writers);
    for (const { siteId, atThe200 } of blocks) {
      expect(await holding(siteId, times.start_time)).toEqual(atThe200);
      raced.before += atThe200.length;
    }
    raced.excluded +=
      (await service.operator("POST", "/dispatches", { program_id: programId, ...times })).status === 400 ? 1 : 0;
  }
  // The control: dispatches did win some of these races, and lost all that came after.
  expect(raced.before).toBeGreaterThan(0);
  expect(raced.excluded).toBe(ROUNDS);
});
