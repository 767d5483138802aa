import { beforeAll, describe, expect, test } from "vitest";
import { dispatchStore } from "../../src/storage/dispatch-store.js";
import { type Ahead, ahead, newDispatch, newProgram } from "../support/dispatching.js";
import { type Participant, type Running, running } from "../support/running.js";

let service: Running;
let anna: Participant;
let peak: string;
let reserve: string;

beforeAll(async () => {
  service = await running();
  anna = await service.newParticipant({ name: "Anna", sites: [["main"], ["main"]] });
  peak = await newProgram(service, [anna], { name: "Peak" });
  reserve = await newProgram(service, [anna], { name: "Reserve" });
});

interface Overlap {
  readonly dispatch_id: string;
  readonly program: string;
  readonly until: string | null;
  readonly test: boolean;
}
interface Site {
  readonly id: string;
  readonly overlaps: readonly Overlap[];
}
interface Issued {
  readonly id: string;
  readonly sites: readonly Site[];
}

const between = (from: Ahead, to: Ahead | null) => ({
  start_time: ahead(service, from),
  end_time: to === null ? null : ahead(service, to),
});
const issue = (body: object, program_id = reserve) =>
  service.made<Issued>("POST", "/dispatches", { program_id, ...body });
const overlapsOf = ({ sites }: Issued): Overlap[][] => sites.map(({ overlaps }) => [...overlaps]);
const one = (index: number) => [{ site_id: anna.sites[index]?.id ?? "" }];

/** Moves on to a time that no dispatch of the tests before reaches. */
const laterOn = () => service.clock.advance({ days: 40 });

describe("a dispatch of sites that are dispatched already", () => {
  test("is issued, and names for each site the other dispatch, its program and until when it lasts", async () => {
    const first = await newDispatch(service, peak, { ...between({ hours: 1 }, { hours: 3 }), sites: one(0) });
    const period = between({ hours: 2 }, { hours: 4 });
    const overlap = {
      dispatch_id: first.id,
      program: "Peak",
      until: ahead(service, { hours: 3 }),
      test: false,
    };
    const preview = await service.operator("POST", "/dispatches/preview", { program_id: reserve, ...period });
    expect(preview.body.overlapping_sites).toEqual([
      { site_id: anna.sites[0]?.id, name: "Anna, site 1", account_id: anna.accountId, overlaps: [overlap] },
    ]);
    expect(overlapsOf(await issue(period))).toEqual([[overlap], []]);
  });

  test("does not overlap where the ends touch, nor with what was cancelled", async () => {
    laterOn();
    await newDispatch(service, peak, between({ hours: 1 }, { hours: 2 }));
    await newDispatch(service, peak, between({ hours: 3 }, { hours: 4 }));
    const cancelled = await newDispatch(service, peak, between({ hours: 1 }, { hours: 4 }));
    await service.made("PATCH", `/dispatches/${cancelled.id}`, { authorized: false });
    expect(overlapsOf(await issue(between({ hours: 2 }, { hours: 3 })))).toEqual([[], []]);
  });

  test("names one without an end for 24 hours, from its start or, once it runs, from now", async () => {
    laterOn();
    const open = await newDispatch(service, peak, { ...between({ hours: 1 }, null), sites: one(1) });
    const [, overlaps] = overlapsOf(await issue(between({ hours: 24 }, { hours: 30 })));
    expect(overlaps).toEqual([{ dispatch_id: open.id, program: "Peak", until: null, test: false }]);
    expect(overlapsOf(await issue(between({ hours: 25 }, { hours: 26 })))[1]).not.toContainEqual(overlaps?.[0]);
    service.clock.advance({ days: 3 });
    expect(overlapsOf(await issue(between({ hours: 23 }, { hours: 26 })))[1]).toEqual(overlaps);
    await service.made("PATCH", `/dispatches/${open.id}`, { end_time: ahead(service, {}) });
  });

  test("names participants' own tests too, marked as tests", async () => {
    laterOn();
    const own = await anna.call("POST", "/dispatches", between({ hours: 1 }, { hours: 2 }));
    const [[overlap] = []] = overlapsOf(await issue(between({ hours: 1 }, { hours: 2 })));
    expect(overlap).toMatchObject({ dispatch_id: own.body.id, program: "Test dispatch", test: true });
  });

  test("is named by one of two that are issued at once", async () => {
    laterOn();
    const period = between({ hours: 1 }, { hours: 2 });
    const both = await Promise.all([issue(period, peak), issue(period, reserve)]);
    expect(both.flatMap(overlapsOf).flat().length).toBeGreaterThan(0);
  });

  test("names its overlaps again when its times change, and itself never", async () => {
    laterOn();
    const later = await newDispatch(service, peak, between({ hours: 5 }, { hours: 6 }));
    const { id } = await issue(between({ hours: 1 }, { hours: 2 }));
    const changed = await service.made<Issued>("PATCH", `/dispatches/${id}`, between({ hours: 1 }, { hours: 5.5 }));
    expect(overlapsOf(changed).map((each) => each.map(({ dispatch_id }) => dispatch_id))).toEqual([
      [later.id],
      [later.id],
    ]);
    const cancelled = await service.made<Issued>("PATCH", `/dispatches/${id}`, { authorized: false });
    expect(overlapsOf(cancelled)).toEqual([[], []]);
  });
});

test("ten thousand sites that are dispatched already take some ten times as long to find as a thousand", async () => {
  laterOn();
  const { pool } = service.database;
  await pool.query(
    `insert into sites (id, account_id, name, customer_location_id, dispatch_group, timezone, created_at)
     select 'site_many_' || n, $1, 'Site ' || n, '', '', 'UTC', now() from generate_series(1, 10000) as n`,
    [anna.accountId],
  );
  const many = await newProgram(service, [], { name: "Many" });
  await pool.query(
    `insert into enrolments (program_id, site_id, commitment_kw)
     select $1, 'site_many_' || n, 5 from generate_series(1, 10000) as n`,
    [many],
  );
  const period = between({ hours: 1 }, { hours: 2 });
  await issue(period, many);
  const second = await issue(period, many);
  expect(second.sites.filter(({ overlaps }) => overlaps.length === 1)).toHaveLength(10_000);
  const ids = second.sites.map(({ id }) => id);
  const search = { from: new Date(period.start_time), to: new Date(period.end_time ?? ""), exceptId: null };
  const fastestMs = async (siteIds: readonly string[]) => {
    const times = [];
    for (let round = 0; round < 5; round++) {
      const began = performance.now();
      expect(await dispatchStore(pool).meeting(siteIds, search)).toHaveLength(2);
      times.push(performance.now() - began);
    }
    return Math.min(...times);
  };
  const few = await fastestMs(ids.slice(0, 1000));
  expect(await fastestMs(ids)).toBeLessThan(30 * few + 20);
});
