import { operator, participantConsole } from "@curtail/contract";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { type Browser, newBrowser } from "../../support/people.js";
import { type Participant, type Running, running } from "../../support/running.js";

let service: Running;
let anna: Participant;
let admin: Browser;

beforeAll(async () => {
  service = await running();
});

beforeEach(async () => {
  anna = await service.newParticipant({ sites: [["main"], ["main"]] });
  admin = await newBrowser(service, "participant-admin", anna.accountId);
});

const siteId = (site: number): string => anna.sites[site]?.id ?? "";
const block = (site: number, [from, to]: readonly [number, number], available_kw: number | null = null) => ({
  site_id: siteId(site),
  start_time: ahead(service, { hours: from }),
  end_time: ahead(service, { hours: to }),
  available_kw,
});
type Added = ReturnType<typeof block>;
const change = (add: readonly Added[], remove: readonly string[] = []) =>
  admin.console(participantConsole.changeAvailability, { body: { add: [...add], remove: [...remove] } });
const listed = async (query = {}) => (await admin.console(participantConsole.listOwnBlocks, { query })).body.items;

test("blocks of several sites are added together as a series, and listed by their period", async () => {
  const answer = await change([block(0, [24, 26]), block(1, [24, 26]), block(0, [192, 194])]);
  expect(answer.status, answer.text).toBe(200);
  expect(new Set(answer.body.items.map(({ series_id }) => series_id)).size).toBe(1);
  expect(await listed()).toEqual(answer.body.items);
  expect(await listed({ end_time: ahead(service, { hours: 30 }) })).toHaveLength(2);
  expect(await listed({ start_time: ahead(service, { hours: 26 }), site_id: siteId(0) })).toHaveLength(1);
});

test("nothing changes if one of the changes is refused", async () => {
  await newProgram(service, [anna], { schedule_cutoff_seconds: 86_400 });
  const [first] = (await change([block(0, [30, 31])])).body.items;
  const late = await change([block(1, [48, 50]), block(0, [23, 26])], [first?.id ?? ""]);
  expectError(late, 400, /^add\[1\]: a block of .* had to be added before .*, the cut-off of its program/);
  expect(await listed()).toEqual([first]);
  expectError(await change([], ["blk_none"]), 400, /remove has "?blk_none/);
  const bert = await service.newParticipant();
  const foreign = { ...block(0, [48, 50]), site_id: bert.sites[0]?.id ?? "" };
  expectError(await change([foreign]), 400, /add\[0\]\.site_id is .*no site of your account/);
});

test("a block may be shortened after the cut-off, and not lengthened", async () => {
  await newProgram(service, [anna], { schedule_cutoff_seconds: 3600 });
  const [first] = (await change([block(0, [2, 6])])).body.items;
  service.clock.advance({ hours: 3 });
  const id = first?.id ?? "";
  const from = first?.start_time ?? "";
  const until = (hours: number) => ({ ...block(0, [0, hours]), start_time: from });
  expectError(await change([until(4)], [id]), 400, /had to be added before/);
  expect((await change([until(2)], [id])).status).toBe(200);
  expect(await listed()).toMatchObject([{ start_time: from, end_time: ahead(service, { hours: 2 }) }]);
});

test("a site with reduced power is dispatched for no more than that, and is available", async () => {
  const programId = await newProgram(service, [anna]);
  await change([block(0, [4, 6], 20), block(0, [5, 7], 30), block(1, [4, 6], 900)]);
  const dispatch = await newDispatch(service, programId, {
    start_time: ahead(service, { hours: 4 }),
    end_time: ahead(service, { hours: 7 }),
  });
  const { sites: called } = await service.made(operator.getAnyDispatch, { params: { id: dispatch.id } });
  expect(called).toMatchObject([{ commitment: 20 }, { commitment: 50 }]);
  service.clock.advance({ hours: 5 });
  const { sites } = (await admin.console(participantConsole.getAccountOverview)).body;
  expect(sites[0]).toMatchObject({ available: true, unavailable_until: null });
});

test("viewers read blocks and change none", async () => {
  const viewer = await newBrowser(service, "participant-viewer", anna.accountId);
  expect((await viewer.console(participantConsole.listOwnBlocks)).status).toBe(200);
  const refused = await viewer.console(participantConsole.changeAvailability, { body: { add: [], remove: [] } });
  expect([401, 404]).toContain(refused.status);
  expect(await service.made(operator.listSchedule, { params: { id: siteId(0) } })).toMatchObject({ items: [] });
});
