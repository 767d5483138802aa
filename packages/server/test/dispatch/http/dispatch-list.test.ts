import { listDispatches, operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ahead, listedIds, newDispatch } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import {
  anna,
  between,
  listed,
  prepare,
  prepareOfOperator,
  prepareOfParticipant,
  programId,
  service,
  shown,
} from "../../support/lists-of-dispatches.js";

beforeAll(prepare);

describe("the operator's list of dispatches", () => {
  beforeAll(prepareOfOperator);

  test("is narrowed to where they stand: a start and an end that are now are active", async () => {
    const upcoming = await between(1, 60);
    const starting = await between(0, 60);
    const open = await between(-60, null);
    const ending = await between(-60, 0);
    const over = await between(-60, -1);
    const cancelled = await between(-60, 60);
    await service.made(operator.changeDispatch, { params: { id: cancelled.id }, body: { authorized: false } });
    expect(await listed("state=upcoming")).toEqual([upcoming.id]);
    expect(await listed("state=active")).toEqual([ending.id, open.id, starting.id]);
    expect(await listed("state=past")).toEqual([over.id]);
    expect(await listed("state=cancelled")).toEqual([cancelled.id]);
    expect(await listed("")).toHaveLength(6);
    expect(await listed("state=active&limit=2")).toEqual([ending.id, open.id]);
    expectError(await service.operator("GET", "/dispatches?state=over"), 400, /state/);
  });
});

// Specification, endpoint 1: GET /dispatches; G11, G13.
describe("a participant's dispatches", () => {
  beforeEach(prepareOfParticipant);

  describe("the list of dispatches", () => {
    test("is empty, whole and unpaged for an account without dispatches", async () => {
      const { body } = await anna.call(listDispatches);
      expect(body).toEqual({ dispatches: [], page: 0, perPage: 0 });
    });

    test("shows a dispatch with its times, program, sites and commitments", async () => {
      const start_time = ahead(service, { minutes: 10 });
      const { id } = await newDispatch(service, programId, { start_time });
      expect(await shown()).toEqual([
        {
          id,
          authorized: true,
          cancelled: false,
          test: false,
          start_time,
          end_time: null,
          creation_time: ahead(service, {}),
          modification_number: 0,
          metadata: {},
          program: {
            id: programId,
            name: "Peak",
            timezone: "America/Chicago",
            market: "ERCOT",
            program_type: "capacity",
          },
          sites: anna.sites.map((site) => expect.objectContaining({ id: site.id, commitment: 50, drop_by: 50 })),
        },
      ]);
    });

    test("keeps a dispatch for 24 hours after its end, and not a second longer", async () => {
      const { id } = await newDispatch(service, programId, { end_time: ahead(service, { hours: 2 }) });
      service.clock.advance({ hours: 26 });
      expect(await listedIds(anna)).toEqual([id]);
      service.clock.advance({ seconds: 1 });
      expect(await listedIds(anna)).toEqual([]);
    });

    test("never hides an active dispatch, however old", async () => {
      const running = await newDispatch(service, programId, { start_time: ahead(service, {}) });
      const upcoming = await newDispatch(service, programId, { start_time: ahead(service, { days: 40 }) });
      service.clock.advance({ days: 30 });
      expect(await listedIds(anna)).toEqual([upcoming.id, running.id]);
    });
  });

  describe("the JSON of a dispatch", () => {
    test("stays the same, byte for byte, from poll to poll", async () => {
      await newDispatch(service, programId, { end_time: ahead(service, { hours: 3 }) });
      const first = await anna.call(listDispatches);
      service.clock.advance({ hours: 2 });
      expect((await anna.call(listDispatches)).text).toBe(first.text);
    });
  });
});
