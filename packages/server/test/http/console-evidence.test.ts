import { beforeAll, expect, test } from "vitest";
import { newPeopledAccount, type PeopledAccount } from "../support/console-calls.js";
import { ahead, newDispatch, newProgram } from "../support/dispatching.js";
import { evidenceOf, said, untilHappened } from "../support/evidence.js";
import { expectError } from "../support/expect-error.js";
import { type Running, running } from "../support/running.js";

let service: Running;
let anna: PeopledAccount;
let bert: PeopledAccount;

beforeAll(async () => {
  service = await running();
  anna = await newPeopledAccount(service, "Anna's works", "annas main");
  bert = await newPeopledAccount(service, "Bert's works", "berts main");
});

test("the evidence of a dispatch that calls several accounts is the own account's alone, in pages", async () => {
  const program = await newProgram(service, [anna.participant, bert.participant]);
  const { id } = await newDispatch(service, program);
  await untilHappened(service, id, { happened: "webhook delivered", count: 2 });
  await bert.participant.call("GET", `/dispatches/${id}`);
  const path = `/dispatches/${id}/evidence`;
  for (const { admin, viewer, participant } of [anna, bert]) {
    const own = await evidenceOf(service, id, `account_id=${participant.accountId}`);
    for (const browser of [admin, viewer]) expect((await browser.console("GET", path)).body.items).toEqual(own);
    const { next_cursor } = (await admin.console("GET", `${path}?limit=1`)).body;
    expect((await admin.console("GET", `${path}?cursor=${next_cursor}`)).body.items).toEqual(own.slice(1));
  }
  expect(said((await anna.admin.console("GET", path)).body.items)).not.toContain("rest fetched");
});

test("another account is not asked for by name", async () => {
  const { dispatchId } = anna.names;
  const path = `/dispatches/${dispatchId}/evidence?account_id=${bert.participant.accountId}`;
  const { items } = (await anna.admin.console("GET", path)).body;
  expect(items).not.toHaveLength(0);
  for (const each of items) expect(each.account_id).toBe(anna.participant.accountId);
});

test("of a dispatch that is not notified yet there is none", async () => {
  const program = await newProgram(service, [anna.participant]);
  const times = { start_time: ahead(service, { hours: 48 }), notification_time: ahead(service, { hours: 24 }) };
  const { id } = await newDispatch(service, program, times);
  expectError(await anna.admin.console("GET", `/dispatches/${id}/evidence`), 404, /No such dispatch/);
});
