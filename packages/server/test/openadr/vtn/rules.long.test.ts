import { operator } from "@curtail/contract";
import { wireProgram } from "@curtail/testing/wire-forms";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { idsOf, only, patch, prepare, scene, service, statuses, vens } from "../../support/ven-rules.js";
import { REVOKE_BY_HAND, type TestVen } from "../../support/vens.js";

beforeAll(prepare);

const prioritiesOf = async (each: TestVen): Promise<Array<[string, number | null, string]>> =>
  (await each.events()).map(({ descriptor }) => [descriptor.eventId, descriptor.priority, descriptor.marketContext]);

describe("rule 1", () => {
  test("rule 1: a replyLimit cuts the tail, 0 is none, and what it left out is written down once", async () => {
    const { ven, programId } = await scene();
    const { id: first } = await newDispatch(service, programId);
    const { id: second } = await newDispatch(service, programId, { start_time: ahead(service, { hours: 2 }) });
    for (let poll = 0; poll < 2; poll++) expect(idsOf((await ven.poll({ replyLimit: 1 })).events)).toEqual([first]);
    const { rows } = await service.database.pool.query("select * from ven_omissions where ven = $1", [ven.ven.id]);
    expect(rows).toMatchObject([{ dispatch_id: second, modification_number: 0, reply_limit: 1 }]);
    expect(idsOf((await ven.poll({ replyLimit: 0 })).events)).toEqual([first, second]);
  });
});

test("rule 2: far, near from the ramp-up on, active without end", async () => {
  const { ven, programId } = await scene();
  await service.made(operator.changeProgram, {
    params: { id: programId },
    body: { openadr: { level: 1, ramp_up_seconds: 600 } },
  });
  await newDispatch(service, programId);
  expect(only(await ven.events())).toMatchObject({
    descriptor: { status: "far" },
    activePeriod: { durationSeconds: 0, rampUpSeconds: 600 },
    signals: [{ intervals: [{ durationSeconds: 0, uid: "0", level: 1 }] }],
  });
  service.clock.advance({ minutes: 50 });
  expect(await statuses(ven)).toEqual(["near 0"]);
  service.clock.advance({ minutes: 10 });
  expect(await statuses(ven)).toEqual(["active 0"]);
  service.clock.advance({ days: 20 });
  expect(await statuses(ven)).toEqual(["active 0"]);
});

describe("rule 4", () => {
  test("rule 4: a VEN that never saw the event is not shown its cancel", async () => {
    const { ven, programId } = await scene();
    const { id } = await newDispatch(service, programId);
    await patch(id, { authorized: false });
    expect(await ven.events()).toEqual([]);
  });

  test("rule 4: an earlier end is a modification with the shorter duration", async () => {
    const { ven, programId } = await scene();
    const { id } = await newDispatch(service, programId, { end_time: ahead(service, { hours: 3 }) });
    expect(only(await ven.events()).activePeriod.durationSeconds).toBe(7200);
    await patch(id, { end_time: ahead(service, { hours: 2 }) });
    const event = only(await ven.events());
    expect(event).toMatchObject({ descriptor: { modificationNumber: 1 }, activePeriod: { durationSeconds: 3600 } });
  });
});

test("rule 5: createdDateTime is the time of the answer, currentValue the level while active", async () => {
  const { ven, programId } = await scene();
  await newDispatch(service, programId);
  expect(only(await ven.events()).signals[0]?.currentLevel).toBe(0);
  service.clock.advance({ hours: 1 });
  const event = only(await ven.events());
  expect(event.descriptor.createdAt).toEqual(service.clock.now());
  expect(event.signals[0]?.currentLevel).toBe(2);
});

test("rule 6: the level is the program's setting, else 1 for ancillary services", async () => {
  const { anna, ven } = await scene();
  const { id } = await service.made(operator.createProgram, {
    body: wireProgram({ name: "Reserve", program_type: "ancillary_services" }),
  });
  await service.made(operator.enrolSite, { params: { id, site_id: anna.sites[0]?.id ?? "" }, body: { commitment: 1 } });
  await newDispatch(service, id);
  expect(only(await ven.events()).signals[0]?.intervals[0]?.level).toBe(1);
  await service.made(operator.changeProgram, { params: { id }, body: { openadr: { level: 2 } } });
  expect(only(await ven.events()).signals[0]?.intervals[0]?.level).toBe(2);
});

describe("rule 7", () => {
  test("rule 7: priority is unique, in the order of creation, and stays as it was shown", async () => {
    const { anna, ven, programId } = await scene();
    const byProgram = await vens.newVen(anna, { market_context: "program" });
    const elsewhere = await newProgram(service, [anna], { name: "Elsewhere" });
    const later = { notification_time: ahead(service, { minutes: 5 }) };
    const { id: announcedLater } = await newDispatch(service, elsewhere, later);
    const { id: announced } = await newDispatch(service, elsewhere);
    const shown = await prioritiesOf(byProgram);
    expect(shown).toMatchObject([[announced, expect.any(Number), elsewhere]]);
    service.clock.advance({ minutes: 5 });
    const { id: third } = await newDispatch(service, programId);
    const listed = (await prioritiesOf(byProgram)).toSorted(([, a], [, b]) => Number(a) - Number(b));
    expect(listed.map(([id, , marketContext]) => [id, marketContext])).toEqual([
      [announcedLater, elsewhere],
      [announced, elsewhere],
      [third, programId],
    ]);
    expect(listed).toContainEqual(shown[0]);
    const all = await prioritiesOf(ven);
    expect(new Set(all.map(([, priority]) => priority)).size).toBe(3);
    expect(all.map(([, , marketContext]) => marketContext)).toEqual(["*", "*", "*"]);
  });

  test("rule 7: active ones come first, by priority", async () => {
    const { ven, programId } = await scene();
    const { id: first } = await newDispatch(service, programId, { start_time: ahead(service, { minutes: 2 }) });
    const { id: second } = await newDispatch(service, programId, { start_time: ahead(service, { minutes: 1 }) });
    expect(idsOf(await ven.events())).toEqual([second, first]);
    service.clock.advance({ minutes: 2 });
    expect(idsOf(await ven.events())).toEqual([first, second]);
  });
});

describe("rule 8", () => {
  test("rule 8: vtnID is the setting, Curtail-VTN where none is given", async () => {
    const { ven } = await scene();
    expect((await ven.poll()).vtnId).toBe("Curtail-VTN");
  });
});

describe("rule 9", () => {
  test("rule 9: answers are taken again, unasked, and for a superseded modification, with 450", async () => {
    const { ven, programId } = await scene();
    const { id } = await newDispatch(service, programId);
    const first = await ven.events();
    for (let round = 0; round < 3; round++) expect((await ven.answer(first)).response.responseCode).toBe("200");
    expect((await ven.answer(first, { opt: "optOut" })).response.responseCode).toBe("200");
    await patch(id, { end_time: ahead(service, { hours: 4 }) });
    expect((await ven.answer(first)).response.responseCode).toBe("450");
    const second = await ven.events();
    expect((await ven.answer(second)).response.responseCode).toBe("200");
    const { rows } = await service.database.pool.query(
      "select modification_number, opt from ven_acknowledgements where ven = $1 order by seq",
      [ven.ven.id],
    );
    expect(rows.map((row) => `${row.modification_number} ${row.opt}`)).toEqual([
      "0 optIn",
      "0 optOut",
      "0 optIn",
      "1 optIn",
    ]);
  });

  test("rule 9: an answer to a modification that never was is answered 450, however large its number", async () => {
    const { ven, programId } = await scene();
    const { id } = await newDispatch(service, programId);
    const events = await ven.events();
    for (const modificationNumber of [1, 2_147_483_648, 4_294_967_295]) {
      expect((await ven.answer(events, { modificationNumber })).response.responseCode).toBe("450");
    }
    expect(only(await ven.events()).responseRequired).toBe("always");
    expect((await service.operator(operator.listEvidence, { params: { id } })).status).toBe(200);
    expect((await ven.poll({ replyLimit: 4_294_967_295 })).events).toHaveLength(1);
  });

  test("rule 9: the history of an event has an end, what holds now has not", async () => {
    const { ven, programId } = await scene();
    await newDispatch(service, programId);
    const [event] = await ven.events();
    if (event === undefined) throw new Error("there is no event");
    const many = Array.from({ length: 400 }, () => event);
    for (const modificationNumber of [7, 8, 9]) {
      await ven.answer(many, { modificationNumber, opt: "optOut" });
    }
    const kept = "select count(*)::int as count from ven_acknowledgements where ven = $1";
    for (let round = 0; round < 2; round++) await ven.answer([event], { opt: round === 0 ? "optIn" : "optOut" });
    expect((await service.database.pool.query(kept, [ven.ven.id])).rows).toEqual([{ count: 5 }]);
    await service.database.pool.query(
      `insert into ven_acknowledgements (ven, dispatch_id, modification_number, opt, response_code, at)
       select $1, $2, n, 'optIn', '200', now() from generate_series(100, 1094) as n`,
      [ven.ven.id, event.descriptor.eventId],
    );
    expect((await ven.answer([event])).response.responseCode).toBe("200");
    expect((await service.database.pool.query(kept, [ven.ven.id])).rows).toEqual([{ count: 1000 }]);
    const { items } = await service.made(operator.listVenEvents, { params: { id: ven.ven.id } });
    expect(items).toMatchObject([{ acknowledgement: { opt: "optIn" } }]);
  });
});

test("rule 10: the request's id is echoed, an empty one too, and ours is new each time", async () => {
  const { ven } = await scene();
  const answers = [await ven.poll({ requestId: "abc" }), await ven.poll({ requestId: "" })];
  expect(answers.map(({ response }) => response?.requestId)).toEqual(["abc", ""]);
  expect(new Set(answers.map(({ requestId }) => requestId)).size).toBe(2);
  expect(answers.every(({ requestId }) => requestId !== "")).toBe(true);
});

test("rule 11: a test dispatch is a test event", async () => {
  const { ven, programId } = await scene();
  await newDispatch(service, programId, { test: true });
  await newDispatch(service, programId, { start_time: ahead(service, { hours: 2 }) });
  expect((await ven.events()).map(({ descriptor }) => descriptor.test)).toEqual([true, false]);
});

test("rule 14: two certificates of a VEN are good side by side until one is revoked", async () => {
  const { ven, programId } = await scene();
  await newDispatch(service, programId);
  const second = ven.as({ credentials: await vens.certify(ven.ven) });
  for (const each of [ven, second]) only(await each.events());
  await service.database.pool.query(REVOKE_BY_HAND, [ven.credentials.fingerprint]);
  expect((await ven.request()).status).toBe(403);
  only(await second.events());
});
