import { beforeAll, expect, test } from "vitest";
import { newPeopledAccount, type PeopledAccount } from "../support/console-calls.js";
import { ahead, newDispatch, newProgram } from "../support/dispatching.js";
import { type Running, running } from "../support/running.js";

let service: Running;
let anna: PeopledAccount;
let bert: PeopledAccount;

beforeAll(async () => {
  service = await running();
  anna = await newPeopledAccount(service, "Anna's works", "annas main");
  bert = await newPeopledAccount(service, "Bert's works", "berts main");
});

const past = async ({ viewer }: PeopledAccount, query = "") =>
  (await viewer.console("GET", `/dispatches/past${query}`)).body;

test("dispatches of any age that are over or cancelled are listed in pages, newest first, the own sites alone", async () => {
  const program = await newProgram(service, [anna.participant, bert.participant]);
  const over = await newDispatch(service, program, {
    start_time: ahead(service, { days: -40 }),
    end_time: ahead(service, { days: -40, hours: 1 }),
  });
  const cancelled = await newDispatch(service, program);
  await service.made("PATCH", `/dispatches/${cancelled.id}`, { authorized: false });
  await newDispatch(service, program, { start_time: ahead(service, { minutes: -5 }) });
  const { items } = await past(anna);
  expect(items.map(({ id }: { id: string }) => id)).toEqual([cancelled.id, over.id]);
  for (const { sites } of items)
    expect(sites.map(({ id }: { id: string }) => id)).toEqual(anna.participant.sites.map(({ id }) => id));
  const first = await past(anna, "?limit=1");
  expect((await past(anna, `?limit=1&cursor=${first.next_cursor}`)).items).toMatchObject([{ id: over.id }]);
});

test("a dispatch that was cancelled before the account was told of it is not listed", async () => {
  const program = await newProgram(service, [bert.participant]);
  const times = { start_time: ahead(service, { hours: 48 }), notification_time: ahead(service, { hours: 2 }) };
  const { id } = await newDispatch(service, program, times);
  await service.made("PATCH", `/dispatches/${id}`, { authorized: false });
  service.clock.advance({ hours: 3 });
  const { items } = await past(bert);
  expect(items.map((each: { id: string }) => each.id)).not.toContain(id);
});
