import { getDispatch, operator } from "@curtail/contract";
import { wireProgram } from "@curtail/testing/wire-forms";
import { beforeAll, describe, expect, test } from "vitest";
import { cancelTests, goodCall, type Named, namesOf, repeatableEndpoints } from "../../support/participant-calls.js";
import { type Participant, type Running, running } from "../../support/running.js";

let service: Running;
let anna: Participant;
let named: Named;
let programId: string;

/** The service's clock has fractions of a second here, as in production. */
const later = (seconds: number): string => new Date(service.clock.now().getTime() + seconds * 1000).toISOString();
const cut = (time: string): string => `${time.slice(0, 19)}Z`;

beforeAll(async () => {
  service = await running();
  service.clock.set(new Date("2026-07-01T12:00:00.731Z"));
  anna = await service.newParticipant();
  ({ id: programId } = await service.made(operator.createProgram, { body: wireProgram() }));
  const { id } = await newDispatch(3600);
  named = namesOf(anna, id);
});

const newDispatch = (start: number) =>
  service.made(operator.createDispatch, {
    body: {
      program_id: programId,
      start_time: later(start),
      end_time: later(start + 3600.25),
      sites: [{ site_id: anna.sites[0]?.id ?? "" }],
    },
  });

describe("G58: times of the participants' interface", () => {
  test.for(repeatableEndpoints.map((each) => [each.id, each] as const))(
    "%s has whole seconds only",
    async ([, endpoint]) => {
      const { method, path, body } = goodCall(endpoint, named, service.clock);
      const answer = await anna.call(method, path, body);
      if (endpoint.id === "createTestDispatch") await cancelTests(service, anna);
      expect(answer.status).toBeLessThan(300);
      expect(answer.text).not.toMatch(/\d\d:\d\d:\d\d[^Z"\d]/);
    },
  );

  test("a dispatch's times are cut as they are taken, for operators as well", async () => {
    const taken = await newDispatch(7200);
    expect(taken).toMatchObject({ start_time: cut(later(7200)), end_time: cut(later(7200 + 3600.25)) });
    const { body } = await anna.call(getDispatch, { params: { id: taken.id } });
    expect(body).toMatchObject({ start_time: taken.start_time, creation_time: cut(later(0)) });
    const end_time = later(9000);
    const changed = await service.operator(operator.changeDispatch, { params: { id: taken.id }, body: { end_time } });
    expect(changed.body).toMatchObject({ end_time: cut(end_time), modification_number: 1 });
    const again = await service.operator(operator.changeDispatch, {
      params: { id: taken.id },
      body: { end_time: later(9000.2) },
    });
    expect(again.body).toMatchObject({ modification_number: 1 });
  });
});
