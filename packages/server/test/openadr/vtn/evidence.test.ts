import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { alarmsAbout, judgeOnce, untilAlarms } from "../../support/alarms.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { type Evidence, evidenceOf } from "../../support/evidence.js";
import { type Participant, type Running, running } from "../../support/running.js";
import { listeningToVens, type TestVen, untilListened, type Vens } from "../../support/vens.js";

let service: Running;
let vens: Vens;
let anna: Participant;
let programId: string;

beforeAll(async () => {
  service = await running();
  vens = await listeningToVens(service);
  anna = await service.newParticipant();
  programId = await newProgram(service, [anna]);
});

const ofVen = async (dispatchId: string, ven: TestVen): Promise<Evidence[]> =>
  (await evidenceOf(service, dispatchId)).filter(
    ({ channel, detail }) => channel === "openadr" && detail["ven"] === ven.ven.id,
  );

const told = (items: readonly Evidence[]): string[] =>
  items.map(({ what, detail }) =>
    [what, detail["modification_number"], detail["opt"] ?? detail["reason"] ?? ""].join(" ").trim(),
  );

const savedPolls = async (ven: TestVen): Promise<void> => {
  const lastPoll = async (): Promise<unknown> =>
    (await service.database.pool.query("select last_poll_at from vens where id = $1", [ven.ven.id])).rows[0]
      ?.last_poll_at;
  await expect.poll(lastPoll).toEqual(service.clock.now());
};

describe("the evidence of the OpenADR channel", () => {
  test("says when a VEN could see each modification, polled it and acknowledged it", async () => {
    const ven = await vens.newVen(anna);
    const { id } = await newDispatch(service, programId);
    service.clock.advance({ seconds: 5 });
    for (let poll = 0; poll < 2; poll++) await ven.events();
    service.clock.advance({ seconds: 2 });
    await ven.answer(await ven.events());
    service.clock.advance({ seconds: 1 });
    await service.made(operator.changeDispatch, { params: { id }, body: { end_time: ahead(service, { hours: 2 }) } });
    await ven.answer(await ven.events(), { opt: "optOut" });
    service.clock.advance({ minutes: 10 });
    const items = await ofVen(id, ven);
    expect(told(items)).toEqual([
      "notified 0",
      "polled 0",
      "acknowledged 0 optIn",
      "notified 1",
      "polled 1",
      "acknowledged 1 optOut",
    ]);
    expect(items[1]).toMatchObject({
      account_id: anna.accountId,
      site_id: anna.sites[0]?.id,
      detail: { ven_id: ven.venId },
    });
    expect(items.at(-1)?.detail).toMatchObject({ response_code: "200" });
  });

  test("rule 12: says who did not poll for three intervals, or did not acknowledge within 2 minutes", async () => {
    const silent = await vens.newVen(anna);
    const mute = await vens.newVen(anna);
    const { id } = await newDispatch(service, programId);
    await mute.events();
    service.clock.advance({ seconds: 29 });
    expect(told(await ofVen(id, silent))).toEqual(["notified 0"]);
    service.clock.advance({ seconds: 1 });
    expect(told(await ofVen(id, silent))).toEqual(["notified 0", "failed 0 not_polled"]);
    service.clock.advance({ seconds: 89 });
    expect(told(await ofVen(id, mute))).toEqual(["notified 0", "polled 0"]);
    service.clock.advance({ seconds: 1 });
    expect(told(await ofVen(id, mute))).toEqual(["notified 0", "polled 0", "failed 0 not_acknowledged"]);
    await mute.answer(await mute.events());
    expect(told(await ofVen(id, mute)).at(-1)).toBe("acknowledged 0 optIn");
  });

  test("rule 1: says what a VEN's replyLimit left out", async () => {
    const ven = await vens.newVen(anna);
    const later = { start_time: ahead(service, { hours: 300 }) };
    const { id } = await newDispatch(service, programId, later);
    await ven.poll({ replyLimit: 1 });
    expect(told(await ofVen(id, ven))).toEqual(["notified 0", "failed 0 reply_limit"]);
  });

  test("leaves out VENs whose sites the dispatch does not call", async () => {
    const bert = await service.newParticipant({ sites: [["a"], ["b"]] });
    const [first, second] = bert.sites.map((site) => site.id);
    const none = await vens.newVen(bert, { sites: [second ?? ""] });
    const { id } = await newDispatch(service, programId, { sites: [{ site_id: first ?? "" }] });
    expect(await ofVen(id, none)).toEqual([]);
  });
});

test("a poll is counted by what it was answered with", async () => {
  const ven = await vens.newVen(await service.newParticipant());
  await ven.poll();
  expect(await (await fetch(`${service.url}/metrics`)).text()).toContain(
    'curtail_openadr_requests_total{result="no_events"}',
  );
});

describe("rule 12", () => {
  test("rule 12: a VEN that has not polled for three of its intervals raises an alarm until it polls", async () => {
    const ven = await vens.newVen(anna, { poll_interval_seconds: 60 });
    await ven.poll();
    await savedPolls(ven);
    service.clock.advance({ seconds: 175 });
    await judgeOnce(service);
    expect(await alarmsAbout(service, { kind: "ven_silent", id: ven.ven.id })).toEqual([]);
    service.clock.advance({ seconds: 1 });
    await untilListened(service);
    const [alarm] = await untilAlarms(service, { kind: "ven_silent", id: ven.ven.id }, 1);
    expect(alarm).toMatchObject({ subject: ven.ven.id, account_id: anna.accountId });
    await ven.poll();
    await savedPolls(ven);
    await untilAlarms(service, { kind: "ven_silent", id: ven.ven.id }, 0);
  });

  test("rule 12: a VEN that does not acknowledge within 2 minutes raises an alarm until it does", async () => {
    const ven = await vens.newVen(anna);
    const { id } = await newDispatch(service, programId);
    await ven.events();
    service.clock.advance({ seconds: 115 });
    await judgeOnce(service);
    expect(await alarmsAbout(service, { kind: "ven_unacknowledged", id: `${ven.ven.id} ${id}` })).toEqual([]);
    service.clock.advance({ seconds: 1 });
    await untilAlarms(service, { kind: "ven_unacknowledged", id: `${ven.ven.id} ${id}` }, 1);
    await ven.answer(await ven.events(), { opt: "optOut" });
    await untilAlarms(service, { kind: "ven_unacknowledged", id: `${ven.ven.id} ${id}` }, 0);
  });
});
