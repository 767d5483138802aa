import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ahead, newProgram } from "../support/dispatching.js";
import { expectError } from "../support/expect-error.js";
import { type Participant, type Running, running } from "../support/running.js";

// Specification, endpoint 5: POST /schedule/sites/{site_id}; G18.
let service: Running;
let anna: Participant;
let siteId: string;

beforeAll(async () => {
  service = await running();
});

beforeEach(async () => {
  anna = await service.newParticipant();
  siteId = anna.sites[0]?.id ?? "";
});

const period = (from: number, to: number) => ({
  start_time: ahead(service, { hours: from }),
  end_time: ahead(service, { hours: to }),
});
const block = (from: number, to: number, available = false) =>
  anna.call("POST", `/schedule/sites/${siteId}`, { available, ...period(from, to) });
const stored = async () => (await service.operator("GET", `/sites/${siteId}/schedule`)).body.items;

describe("a schedule change", () => {
  test("is answered with the stored block", async () => {
    const { status, body } = await block(1, 2);
    expect(status).toBe(200);
    expect(body).toEqual({ site_id: siteId, available: false, ...period(1, 2) });
    expect(await stored()).toEqual([expect.objectContaining({ ...body, created_at: ahead(service, {}) })]);
  });

  test("that turns availability on is refused", async () => {
    expectError(await block(1, 2, true), 400, /available is true; only false is supported/);
    expect(await stored()).toEqual([]);
  });

  test("sent again is one block, also when its start has passed since", async () => {
    const body = { available: false, ...period(1, 3) };
    const first = await anna.call("POST", `/schedule/sites/${siteId}`, body);
    service.clock.advance({ hours: 2 });
    const again = await anna.call("POST", `/schedule/sites/${siteId}`, body);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(await stored()).toHaveLength(1);
  });

  test("sent many times at once is one block", async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => block(1, 2)));
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 12 }, () => 200));
    expect(await stored()).toHaveLength(1);
  });

  test("is refused where the site has 1,000 blocks that are not over", async () => {
    const insert = (count: number, end: string) =>
      service.database.pool.query(
        `insert into availability_blocks (id, site_id, start_time, end_time, created_at)
         select 'blk_' || $1 || '_' || $3 || n, $1, $2::timestamptz - n * interval '1 second', $2, now()
         from generate_series(1, $4::int) as n`,
        [siteId, end, end, count],
      );
    await insert(999, ahead(service, { hours: 10 }));
    await insert(5, ahead(service, { hours: -1 }));
    expect((await block(1, 2)).status).toBe(200);
    expectError(await block(2, 3), 400, /1000 blocks that are not over, as many as one may have/);
    expect((await block(1, 2)).status).toBe(200);
  });

  test("that overlaps another stays as it was sent", async () => {
    await block(1, 3);
    await block(2, 4);
    await block(1, 4);
    expect(await stored()).toMatchObject([period(1, 3), period(2, 4), period(1, 4)]);
  });

  test("is refused when it starts in the past, ends before it starts, or lasts longer than a year", async () => {
    expectError(await block(-0.01, 1), 400, /too late/);
    expectError(await block(2, 2), 400, /end_time must be after start_time/);
    expectError(await block(1, 2 + 366 * 24), 400, /at most 366 days/);
    expect((await block(1, 1 + 365 * 24)).status).toBe(200);
    expect(await stored()).toHaveLength(1);
  });

  test("of another account's site is not found, like one that is not there (G4)", async () => {
    const ben = await service.newParticipant();
    const body = { available: false, ...period(1, 2) };
    const foreign = await ben.call("POST", `/schedule/sites/${siteId}`, body);
    expectError(foreign, 404, /No such site/);
    expect(foreign.text).toBe((await ben.call("POST", "/schedule/sites/site_0000000000000000", body)).text);
    expect(await stored()).toEqual([]);
  });
});

describe("the cut-off of a block", () => {
  test("is the longest of the programs that the site is enrolled in", async () => {
    await newProgram(service, [anna], { schedule_cutoff_seconds: 3600 });
    await newProgram(service, [anna], { schedule_cutoff_seconds: 7200 });
    await newProgram(service, [], { schedule_cutoff_seconds: 86_400 });
    expectError(await block(1.99, 3), 400, /too late.*7200 seconds/);
    expect((await block(2, 3)).status).toBe(200);
  });

  test("is gone when the site leaves the program, and follows the program's setting", async () => {
    const program = await newProgram(service, [anna], { schedule_cutoff_seconds: 86_400 });
    await service.made("PATCH", `/programs/${program}`, { schedule_cutoff_seconds: 7200 });
    expect((await block(2, 3)).status).toBe(200);
    expectError(await block(1, 2), 400, /too late/);
    await service.operator("DELETE", `/programs/${program}/sites/${siteId}`);
    expect((await block(1, 2)).status).toBe(200);
  });
});
