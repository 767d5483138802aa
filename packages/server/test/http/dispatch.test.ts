import { beforeAll, describe, expect, test } from "vitest";
import { type Participant, type Running, running } from "../support/running.js";

let service: Running;
let anna: Participant;
let program: { id: string };

beforeAll(async () => {
  service = await running();
  anna = await service.newParticipant({ sites: [["main"], ["main"]] });
  program = await service.made("POST", "/programs", {
    name: "Peak",
    timezone: "America/Chicago",
    market: "ERCOT",
    program_type: "capacity",
  });
  for (const site of anna.sites)
    await service.made("PUT", `/programs/${program.id}/sites/${site.id}`, { commitment: 50 });
});

const inMinutes = (minutes: number): string => new Date(service.clock.now().getTime() + minutes * 60_000).toISOString();

describe("a dispatch", () => {
  test("is listed with the sites and commitments of its program", async () => {
    const made = await service.made("POST", "/dispatches", { program_id: program.id, start_time: inMinutes(10) });
    const { body } = await anna.call("GET", "/dispatches");
    const listed = body.dispatches.find((each: { id: string }) => each.id === made.id);
    expect(listed).toMatchObject({ authorized: true, test: false, end_time: null, modification_number: 0 });
    expect(listed.sites).toHaveLength(2);
    expect(listed.sites[0]).toMatchObject({ commitment: 50, drop_by: 50 });
  });
});
