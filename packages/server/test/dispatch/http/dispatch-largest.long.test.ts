import { operator } from "@curtail/contract";
import { wireProgram } from "@curtail/testing/wire-forms";
import { beforeAll, expect, test } from "vitest";
import { recordStatements } from "../../support/buffers/recorder.js";
import { portfolioOf, SEEDED_UNTIL } from "../../support/buffers/seed.js";
import { filledDatabase } from "../../support/buffers/store.js";
import { ahead, newDispatch } from "../../support/dispatching.js";
import { type Running, running } from "../../support/running.js";

const SITES = 50_000;
/** A statement may take 10 s; a quiet machine touches more than 100,000 buffers a second. */
const MOST_BUFFERS = 100_000;

let service: Running;
let programId: string;

beforeAll(async () => {
  const database = await filledDatabase(portfolioOf(SITES));
  service = await running({}, { database });
  service.clock.set(SEEDED_UNTIL);
  ({ id: programId } = await service.made(operator.createProgram, {
    body: wireProgram({ name: "All", timezone: "America/Chicago", market: "ERCOT" }),
  }));
  await database.pool.query(
    "insert into enrolments (program_id, site_id, commitment_kw) select $1, id, 50 from sites",
    [programId],
  );
});

test("a dispatch of 50,000 sites is previewed, issued and changed by statements far below their time limit", async () => {
  const recorded = recordStatements(service.database);
  const start_time = ahead(service, { hours: 1 });
  await service.made(operator.previewDispatch, { body: { program_id: programId, start_time } });
  const { id } = await newDispatch(service, programId, { start_time });
  await service.made(operator.changeDispatch, { params: { id }, body: { end_time: ahead(service, { hours: 2 }) } });
  const { rows } = await service.database.pool.query(
    `select count(distinct position) as sites, min(position), max(position), count(measured_meters) as measured
     from dispatch_sites where dispatch_id = $1`,
    [id],
  );
  expect(rows).toEqual([{ sites: SITES, min: 1, max: SITES, measured: SITES }]);
  const large = [...recorded.touched].filter(([, { buffers }]) => buffers > MOST_BUFFERS);
  expect(large.map(([name, { buffers }]) => `${name}: ${buffers}`)).toEqual([]);
});

test("of a dispatch that fails at its last sites nothing is stored", async () => {
  const count = async () => (await service.database.pool.query("select count(*) from dispatches")).rows[0]?.count;
  const before = await count();
  await service.database.pool.query(
    "alter table dispatch_sites add constraint fails check (position < 49000) not valid",
  );
  const answer = await service.operator(operator.createDispatch, {
    body: { program_id: programId, start_time: ahead(service, { hours: 3 }) },
  });
  await service.database.pool.query("alter table dispatch_sites drop constraint fails");
  expect(answer.status).toBe(500);
  expect(await count()).toBe(before);
});
