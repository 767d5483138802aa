import { operator, participantConsole } from "@curtail/contract";
import { receiver } from "@curtail/testing/receiver";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { evidenceOf } from "../../support/evidence.js";
import { expectError } from "../../support/expect-error.js";
import { lookOnce } from "../../support/owed.js";
import { type Browser, newBrowser } from "../../support/people.js";
import { type Participant, type Running, running } from "../../support/running.js";
import { subscribe } from "../../support/unreachable.js";

// A person who reads a dispatch on its page is a notified account (G45).
let service: Running;
let anna: Participant;
let ana: Browser;
let id: string;

beforeAll(async () => {
  service = await running();
});

beforeEach(async () => {
  anna = await service.newParticipant({ name: "Anna" });
  ana = await newBrowser(service, "participant-viewer", anna.accountId);
  const hook = await receiver();
  await subscribe(anna, hook);
  hook.answer = 503;
  const times = { start_time: ahead(service, {}), end_time: ahead(service, { hours: 1 }) };
  ({ id } = await newDispatch(service, await newProgram(service, [anna]), times));
});

const read = (by: Browser, modification_number = 0) =>
  by.console(participantConsole.recordPageRead, { params: { id }, body: { modification_number } });
const viewed = async () =>
  (await evidenceOf(service, id)).filter(({ what }) => what === "viewed").map(({ detail }) => detail);
const attention = async () => (await service.operator(operator.getDispatchAttention, { params: { id } })).body;

describe("a person who reads a dispatch on its page", () => {
  test("is evidence with name and time, once for each modification, also a viewer", async () => {
    expect((await read(ana)).status).toBe(204);
    service.clock.advance({ seconds: 30 });
    await read(ana);
    const other = await newBrowser(service, "participant-admin", anna.accountId);
    await read(other);
    const seen = await evidenceOf(service, id);
    const items = seen.filter(({ what }) => what === "viewed");
    expect(items).toMatchObject([
      { channel: "rest", account_id: anna.accountId, detail: { modification_number: 0, user_id: ana.id } },
      { channel: "rest", detail: { user_id: other.id, user_name: expect.stringMatching(/^Person/u) } },
    ]);
    expect(items.map(({ at }) => Date.parse(at))).toEqual([
      service.clock.now().getTime() - 30_000,
      service.clock.now().getTime(),
    ]);
  });

  test("keeps the account from being mailed, and counts in the attention of the dispatch", async () => {
    await read(ana);
    expect(await attention()).toMatchObject({ reached: 1, reached_by: { rest: 1 }, unreached: [] });
    service.clock.advance({ minutes: 6 });
    await lookOnce(service);
    const { rows } = await service.database.pool.query(
      "select from messages join escalations on message_id = id where subject = $1",
      [id],
    );
    expect(rows).toEqual([]);
  });

  test("has read the modification that the page showed, and no later one", async () => {
    await read(ana);
    await service.made(operator.changeDispatch, { params: { id }, body: { end_time: ahead(service, { hours: 2 }) } });
    expect(await attention()).toMatchObject({ reached: 0 });
    expectError(await read(ana, 2), 400, /modification_number is 2; the dispatch has 1/);
    await read(ana, 1);
    expect(await attention()).toMatchObject({ reached: 1 });
    expect(await viewed()).toMatchObject([{ modification_number: 0 }, { modification_number: 1 }]);
  });

  test("after the end of the dispatch counts for nothing", async () => {
    service.clock.advance({ hours: 1, seconds: 1 });
    await read(ana);
    expect(await viewed()).toMatchObject([{ after_end: true }]);
    expect(await attention()).toMatchObject({ reached: 0 });
  });

  test("of another account gets 404, and leaves nothing", async () => {
    const bert = await service.newParticipant();
    expectError(await read(await newBrowser(service, "participant-admin", bert.accountId)), 404);
    expect(await viewed()).toEqual([]);
  });

  test("reads nothing by a request of the page alone", async () => {
    await ana.console("GET", `/dispatches/${id}`);
    await ana.console("GET", "/dispatches");
    expect(await viewed()).toEqual([]);
    expect(await attention()).toMatchObject({ reached: 0 });
  });
});
