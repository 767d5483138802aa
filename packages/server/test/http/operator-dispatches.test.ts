import { beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../support/dispatching.js";
import { expectError } from "../support/expect-error.js";
import { type Participant, type Running, running } from "../support/running.js";

let service: Running;
let anna: Participant;
let program: string;
let other: string;

beforeAll(async () => {
  service = await running();
  anna = await service.newParticipant({ sites: [["main"], ["main"], ["main"]] });
  program = await newProgram(service, [anna]);
  other = await newProgram(service, [anna]);
});

const listed = async (query: string): Promise<string[]> =>
  (await service.operator("GET", `/dispatches?${query}`)).body.items.map((each: { id: string }) => each.id);
const between = (from: number, to: number | null, program_id = program) =>
  newDispatch(service, program_id, {
    start_time: ahead(service, { seconds: from }),
    end_time: to === null ? null : ahead(service, { seconds: to }),
  });

describe("the list of dispatches", () => {
  test("is narrowed to where they stand: a start and an end that are now are active", async () => {
    const upcoming = await between(1, 60);
    const starting = await between(0, 60);
    const open = await between(-60, null);
    const ending = await between(-60, 0);
    const over = await between(-60, -1);
    const cancelled = await between(-60, 60);
    await service.made("PATCH", `/dispatches/${cancelled.id}`, { authorized: false });
    expect(await listed("state=upcoming")).toEqual([upcoming.id]);
    expect(await listed("state=active")).toEqual([ending.id, open.id, starting.id]);
    expect(await listed("state=past")).toEqual([over.id]);
    expect(await listed("state=cancelled")).toEqual([cancelled.id]);
    expect(await listed("")).toHaveLength(6);
    expect(await listed("state=active&limit=2")).toEqual([ending.id, open.id]);
    expectError(await service.operator("GET", "/dispatches?state=over"), 400, /state/);
  });

  test("is narrowed to a program", async () => {
    const { id } = await between(1, 60, other);
    expect(await listed(`program_id=${other}`)).toEqual([id]);
    expect(await listed(`program_id=${other}&state=past`)).toEqual([]);
    expect(await listed("program_id=prg_0")).toEqual([]);
  });

  test("counts sites and sums commitments, and leaves sites out where it is told to", async () => {
    const [first, second, third] = anna.sites.map(({ id }) => id);
    const sites = [
      { site_id: first, commitment: 2.5 },
      { site_id: second, commitment: null },
      { site_id: third, commitment: 4 },
    ];
    const { id } = await newDispatch(service, program, { sites });
    const [whole] = (await service.operator("GET", "/dispatches?limit=1")).body.items;
    expect(whole).toMatchObject({ id, site_count: 3, commitment_kw: 6.5 });
    expect(whole.sites).toHaveLength(3);
    const [light] = (await service.operator("GET", "/dispatches?limit=1&sites=omit")).body.items;
    expect(light).toEqual({ ...whole, sites: [] });
    expectError(await service.operator("GET", "/dispatches?sites=none"), 400, /sites/);
  });
});
