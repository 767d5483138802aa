import { listDispatches, operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ahead, listedIds, newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import {
  account,
  anna,
  between,
  listed,
  other,
  prepare,
  prepareOfOperator,
  prepareOfParticipant,
  program,
  programId,
  service,
  shown,
} from "../../support/lists-of-dispatches.js";

beforeAll(prepare);

const moment = (seconds: number) => encodeURIComponent(ahead(service, { seconds }));

describe("the operator's list of dispatches", () => {
  beforeAll(prepareOfOperator);

  test("is narrowed to a program", async () => {
    const { id } = await between(1, 60, other);
    expect(await listed(`program_id=${other}`)).toEqual([id]);
    expect(await listed(`program_id=${other}&state=past`)).toEqual([]);
    expect(await listed("program_id=prg_0")).toEqual([]);
  });

  test("is narrowed to a site and to a period, which an open end reaches", async () => {
    const [site, elsewhere] = account.sites.map(({ id }) => id);
    const third = await newProgram(service, [account]);
    const made = (from: number, to: number | null) =>
      newDispatch(service, third, {
        sites: [{ site_id: site ?? "" }],
        start_time: ahead(service, { seconds: from }),
        end_time: to === null ? null : ahead(service, { seconds: to }),
      });
    const before = await made(-600, -300);
    const across = await made(-400, -100);
    const open = await made(-200, null);
    const of = (query: string) => listed(`program_id=${third}&${query}`);

    expect(await of(`site_id=${site}`)).toEqual([open.id, across.id, before.id]);
    expect(await of(`site_id=${elsewhere}`)).toEqual([]);
    expect(await of(`start_time=${moment(-300)}`)).toEqual([open.id, across.id]);
    expect(await of(`end_time=${moment(-200)}`)).toEqual([across.id, before.id]);
    expect(await of(`start_time=${moment(-90)}&end_time=${moment(0)}`)).toEqual([open.id]);
    expectError(await service.operator("GET", "/dispatches?start_time=noon"), 400, /start_time/);
  });

  test("counts sites and sums commitments, and leaves sites out where it is told to", async () => {
    const [first, second, third] = account.sites.map(({ id }) => id);
    const sites = [
      { site_id: first ?? "", commitment: 2.5 },
      { site_id: second ?? "", commitment: null },
      { site_id: third ?? "", commitment: 4 },
    ];
    const { id } = await newDispatch(service, program, { sites });
    const [whole] = (await service.operator(operator.listAllDispatches, { query: { limit: 1 } })).body.items;
    expect(whole).toMatchObject({ id, site_count: 3, commitment_kw: 6.5 });
    expect(whole?.sites).toHaveLength(3);
    const [light] = (await service.operator(operator.listAllDispatches, { query: { limit: 1, sites: "omit" } })).body
      .items;
    expect(light).toEqual({ ...whole, sites: [] });
    expectError(await service.operator("GET", "/dispatches?sites=none"), 400, /sites/);
  });
});

const end = (id: string, end_time: string) =>
  service.made(operator.changeDispatch, { params: { id }, body: { end_time } });

// Specification, endpoint 1: GET /dispatches; G11, G13.
describe("a participant's dispatches", () => {
  beforeEach(prepareOfParticipant);

  describe("the list of dispatches", () => {
    test("names a site's own identifier and group, and says null where no commitment is agreed (G13)", async () => {
      const site = { name: "Store", customer_location_id: "0042", dispatch_group: "north" };
      const { id: siteId } = await service.made(operator.createSite, { params: { id: anna.accountId }, body: site });
      const body = { sites: [{ site_id: siteId }, { site_id: anna.sites[0]?.id ?? "", commitment: 7.5 }] };
      await newDispatch(service, programId, body);
      const [dispatch] = await shown();
      expect(dispatch?.sites).toEqual([
        { id: siteId, ...site, commitment: null, drop_by: null },
        expect.objectContaining({ customer_location_id: "", dispatch_group: "", commitment: 7.5, drop_by: 7.5 }),
      ]);
    });

    test("comes newest start first, and by id where starts are the same", async () => {
      const hours = [2, 5, 3, 3, 3];
      const made = [];
      for (const hour of hours) {
        const { id } = await newDispatch(service, programId, { start_time: ahead(service, { hours: hour }) });
        made.push({ id, hour });
      }
      const expected = made.toSorted((a, b) => b.hour - a.hour || (a.id < b.id ? -1 : 1)).map((each) => each.id);
      expect(await listedIds(anna)).toEqual(expected);
    });

    test("keeps a cancelled dispatch for 24 hours after it was cancelled, whatever its times", async () => {
      const { id } = await newDispatch(service, programId, { start_time: ahead(service, { days: 10 }) });
      service.clock.advance({ days: 2 });
      await service.made(operator.changeDispatch, { params: { id }, body: { authorized: false } });
      service.clock.advance({ hours: 24 });
      expect(await shown()).toEqual([expect.objectContaining({ id, authorized: false, modification_number: 1 })]);
      service.clock.advance({ seconds: 1 });
      expect(await listedIds(anna)).toEqual([]);
    });

    test("shows a dispatch for 24 hours after its last change, also when its end is longer past", async () => {
      const { id } = await newDispatch(service, programId, { start_time: ahead(service, {}) });
      service.clock.advance({ days: 3 });
      await end(id, ahead(service, { days: -2 }));
      service.clock.advance({ hours: 24 });
      expect(await listedIds(anna)).toEqual([id]);
      service.clock.advance({ seconds: 1 });
      expect(await listedIds(anna)).toEqual([]);
    });

    // G61.
    test("never shows a dispatch that was over when it was created", async () => {
      const times = { start_time: ahead(service, { days: -3 }), end_time: ahead(service, { seconds: -1 }) };
      await newDispatch(service, programId, times);
      expect(await listedIds(anna)).toEqual([]);
    });
  });

  describe("the JSON of a dispatch", () => {
    test("stays the same when its sites and its program are renamed and enrolled for another commitment", async () => {
      await newDispatch(service, programId);
      const first = await anna.call(listDispatches);
      const siteId = anna.sites[0]?.id;
      await service.made(operator.changeSite, {
        params: { id: siteId ?? "" },
        body: { name: "Renamed", customer_location_id: "9", dispatch_group: "g" },
      });
      await service.made(operator.changeProgram, {
        params: { id: programId },
        body: { name: "Renamed", timezone: "UTC", market: "PJM" },
      });
      await service.made(operator.enrolSite, {
        params: { id: programId, site_id: siteId ?? "" },
        body: { commitment: 99 },
      });
      await service.operator(operator.withdrawSite, { params: { id: programId, site_id: anna.sites[1]?.id ?? "" } });
      expect((await anna.call(listDispatches)).text).toBe(first.text);
    });
  });
});
