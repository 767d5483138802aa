import { beforeAll, expect, test } from "vitest";
import { ahead } from "../support/dispatching.js";
import { expectError } from "../support/expect-error.js";
import { type Browser, newBrowser } from "../support/people.js";
import { type Participant, type Running, running } from "../support/running.js";

let service: Running;
let anna: Participant;
let admin: Browser;

beforeAll(async () => {
  service = await running();
  anna = await service.newParticipant({ sites: [["main"], ["main"]] });
  admin = await newBrowser(service, "participant-admin", anna.accountId);
});

const block = async (siteId: string | undefined, from: number): Promise<void> => {
  const period = { start_time: ahead(service, { hours: from }), end_time: ahead(service, { hours: from + 2 }) };
  expect((await admin.console("POST", `/schedule/sites/${siteId}`, { available: false, ...period })).status).toBe(200);
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
    expect((await admin.console("DELETE", `/schedule/${id}`)).status).toBe(204);
    const act = { action: "schedule.delete", actor: `user:${admin.id}`, subject: id, account_id: anna.accountId };
    expect((await service.operator("GET", "/audit?limit=1")).body.items).toMatchObject([act]);
    expectError(await admin.console("DELETE", `/schedule/${id}`), 404, /No such schedule block/);
  }
  expect((await admin.console("GET", path)).body.items).toEqual([]);
});
