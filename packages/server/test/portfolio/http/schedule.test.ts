import { changeSchedule, operator, participantConsole } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ahead, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { type Browser, newBrowser } from "../../support/people.js";
import { type Participant, type Running, running } from "../../support/running.js";

let service: Running;

beforeAll(async () => {
  service = await running();
});

const period = (from: number, to: number) => ({
  start_time: ahead(service, { hours: from }),
  end_time: ahead(service, { hours: to }),
});

// Specification, endpoint 5: POST /schedule/sites/{site_id}; G18.
describe("a block", () => {
  let anna: Participant;
  let siteId: string;

  beforeEach(async () => {
    anna = await service.newParticipant();
    siteId = anna.sites[0]?.id ?? "";
  });

  const block = (from: number, to: number, available = false) =>
    anna.call(changeSchedule, { params: { site_id: siteId }, body: { available, ...period(from, to) } });
  const stored = async () => (await service.operator(operator.listSchedule, { params: { id: siteId } })).body.items;

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
      const first = await anna.call(changeSchedule, { params: { site_id: siteId }, body });
      service.clock.advance({ hours: 2 });
      const again = await anna.call(changeSchedule, { params: { site_id: siteId }, body });
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
      expectError(await block(2, 3), 400, /already has 1000 unfinished blocks, the maximum/);
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
      const foreign = await ben.call(changeSchedule, { params: { site_id: siteId }, body });
      expectError(foreign, 404, /No such site/);
      expect(foreign.text).toBe(
        (await ben.call(changeSchedule, { params: { site_id: "site_0000000000000000" }, body })).text,
      );
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
      await service.made(operator.changeProgram, { params: { id: program }, body: { schedule_cutoff_seconds: 7200 } });
      expect((await block(2, 3)).status).toBe(200);
      expectError(await block(1, 2), 400, /too late/);
      await service.operator(operator.withdrawSite, { params: { id: program, site_id: siteId } });
      expect((await block(1, 2)).status).toBe(200);
    });
  });
});

const at = (seconds: number): string => new Date(service.clock.now().getTime() + seconds * 1000).toISOString();

const good = () => ({ available: false, start_time: at(3600), end_time: at(7200) });

describe("POST /schedule/sites/{site_id}", () => {
  let anna: Participant;
  let path: string;

  beforeAll(async () => {
    anna = await service.newParticipant();
    path = `/schedule/sites/${anna.sites[0]?.id}`;
  });

  const blocks = async (): Promise<unknown[]> =>
    (await service.operator(operator.listSchedule, { params: { id: anna.sites[0]?.id ?? "" } })).body.items;

  const expectRefused = async (change: object, message: RegExp): Promise<void> => {
    expectError(await anna.call("POST", path, { ...good(), ...change }), 400, message);
    expect(await blocks()).toEqual([]);
  };

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
    const unknown = await anna.call(changeSchedule, { params: { site_id: "site_0000000000000000" }, body: good() });
    expectError(unknown, 404);
    for (const id of ["", "%20", "..%2Fdispatches", "%00", "'%20or%201=1", "a".repeat(5000)])
      expectError(await anna.call(changeSchedule, { params: { site_id: id }, body: good() }), 404);
  });

  test("SCH10: judges the body before the site (G3)", async () => {
    expectError(await anna.call("POST", "/schedule/sites/site_0000000000000000", { available: false }), 400);
  });

  test("SCH4: refuses a start inside the longest market cut-off, and changes nothing", async () => {
    const program = { timezone: "UTC", market: "", program_type: "capacity" } as const;
    for (const schedule_cutoff_seconds of [600, 7200]) {
      const body = { ...program, name: `Cut-off ${schedule_cutoff_seconds}`, schedule_cutoff_seconds };
      const { id } = await service.made(operator.createProgram, { body });
      await service.made(operator.enrolSite, {
        params: { id, site_id: anna.sites[0]?.id ?? "" },
        body: { commitment: 1 },
      });
    }
    await expectRefused({ start_time: at(7199), end_time: at(9000) }, /too late.*7200 seconds/);
    const last = await anna.call("POST", path, { ...good(), start_time: at(7200), end_time: at(9000) });
    expect(last.status).toBe(200);
    expect(last.body).toMatchObject({ site_id: anna.sites[0]?.id, available: false });
    expect(await blocks()).toHaveLength(1);
  });
});

describe("the schedule in the console", () => {
  let anna: Participant;
  let admin: Browser;

  beforeAll(async () => {
    anna = await service.newParticipant({ sites: [["main"], ["main"]] });
    admin = await newBrowser(service, "participant-admin", anna.accountId);
  });

  const block = async (siteId: string | undefined, from: number): Promise<void> => {
    const period = { start_time: ahead(service, { hours: from }), end_time: ahead(service, { hours: from + 2 }) };
    expect((await admin.console("POST", `/schedule/sites/${siteId}`, { available: false, ...period })).status).toBe(
      200,
    );
  };

  test("the blocks of an own site are listed as the operator sees them, in pages", async () => {
    const [site, other] = anna.sites;
    await block(site?.id, 1);
    await block(site?.id, 5);
    await block(other?.id, 1);
    const path = `/sites/${site?.id}/schedule`;
    const { items } = (await admin.console("GET", path)).body;
    expect(items).toHaveLength(2);
    expect(items).toEqual((await service.operator("GET", path)).body.items);
    const { next_cursor } = (await admin.console("GET", `${path}?limit=1`)).body;
    expect((await admin.console("GET", `${path}?cursor=${next_cursor}`)).body.items).toEqual(items.slice(1));
  });

  test("a block is removed, also once it has begun, which the audit log has as the person's act", async () => {
    const path = `/sites/${anna.sites[0]?.id}/schedule`;
    const [begun, later] = (await admin.console("GET", path)).body.items;
    service.clock.advance({ hours: 2 });
    for (const { id } of [begun, later]) {
      expect((await admin.console(participantConsole.deleteOwnScheduleBlock, { params: { id } })).status).toBe(204);
      const act = { action: "schedule.delete", actor: `user:${admin.id}`, subject: id, account_id: anna.accountId };
      expect((await service.operator(operator.listAudit, { query: { limit: 1 } })).body.items).toMatchObject([act]);
      expectError(
        await admin.console(participantConsole.deleteOwnScheduleBlock, { params: { id } }),
        404,
        /No such schedule block/,
      );
    }
    expect((await admin.console("GET", path)).body.items).toEqual([]);
  });
});
