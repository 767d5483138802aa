import { getDispatch, listDispatches, operator, participantConsole } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ahead, listedIds, newDispatch } from "../../support/dispatching.js";
import { evidenceOf } from "../../support/evidence.js";
import { expectError } from "../../support/expect-error.js";
import { lookOnce } from "../../support/owed.js";
import { newBrowser } from "../../support/people.js";
import {
  anna,
  found,
  hook,
  issue,
  metadata,
  patch,
  prepare,
  prepareEach,
  programId,
  recorded,
  service,
  yesterday,
} from "../../support/records-of-dispatches.js";

beforeAll(prepare);

beforeEach(prepareEach);

/** The first thing that the webhook is sent is about this dispatch: of what came before, it was told nothing. */
const isToldFirst = async (id: string): Promise<void> => {
  expect((await hook.notices(1)).map(({ resource }) => resource)).toEqual([`/2022-04-15/dispatches/${id}`]);
};

describe("a dispatch that is over when it is created", () => {
  test("is there by its id and not in the list, and its operator sees that it is a record", async () => {
    const id = await recorded();
    expect(await listedIds(anna)).toEqual([]);
    const seen = await anna.call(getDispatch, { params: { id } });
    expect(seen.body).toMatchObject({ id, ...yesterday(), authorized: true, cancelled: false });
    expect(seen.body).not.toHaveProperty("record");
    expect(await found(id)).toMatchObject({ id, record: true });
    const person = await newBrowser(service, "participant-admin", anna.accountId);
    const past = await person.console(participantConsole.listPastDispatches);
    expect(past.body.items.map((each) => each.id)).toEqual([id]);
  });

  test("notifies no webhook, owes nothing, and leaves no evidence of a notice", async () => {
    const id = await recorded();
    service.clock.advance({ minutes: 10 });
    await lookOnce(service);
    const { id: next } = await newDispatch(service, programId);
    await isToldFirst(next);
    expect(await evidenceOf(service, id)).toEqual([]);
    const { rows } = await service.database.pool.query(
      "select from notices where dispatch_id = $1 union all select from messages where subject = $1",
      [id],
    );
    expect(rows).toEqual([]);
  });

  test("asks nobody to be called, though nothing reached its account", async () => {
    const id = await recorded();
    const { body: attention } = await service.operator(operator.getDispatchAttention, { params: { id } });
    expect(attention).toMatchObject({ accounts: 1, reached: 0, unreached: [] });
  });

  test("cannot be changed, not even into the future; it can be voided, of which nobody is notified", async () => {
    const id = await recorded();
    expectError(await patch(id, { end_time: ahead(service, { hours: 1 }) }), 400, /is over and cannot be changed/);
    expectError(await patch(id, { metadata: { note: "late" } }), 400, /is over and cannot be changed/);
    expect((await patch(id, { authorized: false, void_reason: "wrong day" })).status).toBe(200);
    const { id: next } = await newDispatch(service, programId);
    await isToldFirst(next);
    expect((await anna.call(getDispatch, { params: { id } })).body).toMatchObject({ cancelled: true });
    expect(await listedIds(anna)).toEqual([next]);
  });
});

describe("a dispatch whose end lies at or after its creation", () => {
  test("is notified, however long ago it started", async () => {
    const times = { start_time: ahead(service, { hours: -2 }), end_time: ahead(service, {}), confirm_past: true };
    const { id } = await newDispatch(service, programId, times);
    await isToldFirst(id);
    expect(await found(id)).toMatchObject({ record: false });
  });
});

describe("a start in the past", () => {
  test("of more than 5 minutes must be confirmed", async () => {
    const late = { start_time: ahead(service, { minutes: -5, seconds: -1 }) };
    expectError(await issue(late), 400, /^Send confirm_past: true .* more than 5 minutes in the past/u);
    expectError(await issue(yesterday()), 400, /nobody would be notified/);
    expect((await issue({ ...late, confirm_past: true })).status).toBe(201);
    expect((await issue({ start_time: ahead(service, { minutes: -5 }) })).status).toBe(201);
  });
});

describe("metadata of a dispatch (G59)", () => {
  test("is {} unless the operator sets it, and the same wherever a dispatch is read", async () => {
    const { id } = await newDispatch(service, programId);
    expect((await anna.call(getDispatch, { params: { id } })).body).toMatchObject({ metadata: {}, cancelled: false });
    const other = await newDispatch(service, programId, { metadata });
    const { body: seen } = await anna.call(getDispatch, { params: { id: other.id } });
    expect(seen.metadata).toEqual(metadata);
    const { body: list } = await anna.call(listDispatches);
    expect(list.dispatches.find((each) => each.id === other.id)).toEqual(seen);
  });
});
