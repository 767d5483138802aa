import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../support/expect-error.js";
import { type Participant, type Running, running } from "../support/running.js";

let service: Running;
let anna: Participant;
let path: string;

beforeAll(async () => {
  service = await running();
  anna = await service.newParticipant();
  path = `/schedule/sites/${anna.sites[0]?.id}`;
});

const at = (seconds: number): string => new Date(service.clock.now().getTime() + seconds * 1000).toISOString();
const good = () => ({ available: false, start_time: at(3600), end_time: at(7200) });

const blocks = async (): Promise<unknown[]> =>
  (await service.operator("GET", `/sites/${anna.sites[0]?.id}/schedule`)).body.items;

const expectRefused = async (change: object, message: RegExp): Promise<void> => {
  expectError(await anna.call("POST", path, { ...good(), ...change }), 400, message);
  expect(await blocks()).toEqual([]);
};

describe("POST /schedule/sites/{site_id}", () => {
  test("SCH2: refuses to turn availability on", () => expectRefused({ available: true }, /only false/));

  test("SCH2: refuses availability that is no boolean", async () => {
    for (const available of [undefined, null, "false", 0, [], {}]) await expectRefused({ available }, /^available/);
  });

  test("SCH5: refuses an end that is not after the start", async () => {
    await expectRefused({ end_time: at(3600) }, /end_time/);
    await expectRefused({ end_time: at(60) }, /end_time/);
  });

  test("SCH5: refuses a period in the past, or that has begun", async () => {
    await expectRefused({ start_time: at(-7200), end_time: at(-3600) }, /too late/);
    await expectRefused({ start_time: at(-1) }, /too late/);
  });

  test.for(["start_time", "end_time"])("SCH6: refuses %s without an offset, or no time at all", async (name) => {
    for (const text of ["2030-01-01T00:00:00", "2030-01-01", "2030-02-30T00:00:00Z", "now", "infinity", "", null, 5])
      await expectRefused({ [name]: text }, new RegExp(`^${name}`));
  });

  test("G18: refuses a block of more than a year", () => expectRefused({ end_time: at(3600 + 367 * 86_400) }, /days/));

  test("SCH10: does not know an unknown site, and nothing at an empty segment", async () => {
    const unknown = await anna.call("POST", "/schedule/sites/site_0000000000000000", good());
    expectError(unknown, 404);
    for (const id of ["", "%20", "..%2Fdispatches", "%00", "'%20or%201=1", "a".repeat(5000)])
      expectError(await anna.call("POST", `/schedule/sites/${id}`, good()), 404);
  });

  test("SCH10: judges the body before the site (G3)", async () => {
    expectError(await anna.call("POST", "/schedule/sites/site_0000000000000000", { available: false }), 400);
  });

  test("SCH4: refuses a start inside the longest market cut-off, and changes nothing", async () => {
    const program = { timezone: "UTC", market: "", program_type: "capacity" };
    for (const schedule_cutoff_seconds of [600, 7200]) {
      const body = { ...program, name: `Cut-off ${schedule_cutoff_seconds}`, schedule_cutoff_seconds };
      const { id } = await service.made("POST", "/programs", body);
      await service.made("PUT", `/programs/${id}/sites/${anna.sites[0]?.id}`, { commitment: 1 });
    }
    await expectRefused({ start_time: at(7199), end_time: at(9000) }, /too late.*7200 seconds/);
    const last = await anna.call("POST", path, { ...good(), start_time: at(7200), end_time: at(9000) });
    expect(last.status).toBe(200);
    expect(last.body).toMatchObject({ site_id: anna.sites[0]?.id, available: false });
    expect(await blocks()).toHaveLength(1);
  });
});
