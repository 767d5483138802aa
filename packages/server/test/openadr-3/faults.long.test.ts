import { events, notifiers, programs, reports, resources, subscriptions, topics, vens } from "@curtail/openadr-3";
import { describe, expect, test } from "vitest";
import { ahead, newDispatch } from "../support/dispatching.js";
import { clientOf, requestToken, runningVtn } from "../support/openadr-3.js";
import { equipped, eventOf, toldOf } from "../support/openadr3-vens.js";

const vtn = await runningVtn();
const [bl, ven] = await Promise.all([vtn.bl(), vtn.ven()]);
const { id: programID } = await bl.programs.made({ programName: "Program" });

/** Reads and writes of both roles that change nothing. */
const everyCall = () =>
  Promise.all([
    ven.programs.search(),
    ven.programs.get(programID),
    ven.events.search(),
    ven.vens.search(),
    bl.programs.create({ programName: "Program" }),
    bl.events.search(),
    ven.reports.create({ eventID: "none", clientName: "ven", resources: [] }),
  ]);
const GOOD = [200, 200, 200, 200, 409, 200, 400];

/** Every path that needs a token. */
const endpointsOf31 = [
  notifiers,
  ...[programs, events, reports, subscriptions, vens, resources].flatMap((kind) => Object.values(kind)),
  ...Object.values(topics),
];

const statuses = (answers: ReadonlyArray<{ status: number }>) => answers.map(({ status }) => status);
const inOrder = (a: number, b: number) => a - b;

describe("while the database is away", () => {
  test("every operation answers 503, never an empty list, and recovers by itself", async () => {
    expect(statuses(await everyCall())).toEqual(GOOD);
    await vtn.database.cutOff();
    for (const remembered of [true, false]) {
      // After a moment, clients have to be looked up, too.
      if (!remembered) vtn.clock.advance({ seconds: 1 });
      for (const answer of await everyCall()) {
        expect(answer).toMatchObject({ status: 503, body: { title: "Service Unavailable", status: 503 } });
        expect(answer.headers.get("retry-after")).toBe("6");
        expect(answer.text).not.toMatch(/openadr3_|select|pg|stack/);
      }
    }
    const form = { grant_type: "client_credentials", client_id: ven.id, client_secret: ven.secret };
    expect(await requestToken(vtn.vtnUrl, form)).toMatchObject({ status: 503 });
    await vtn.database.letIn();
    expect(statuses(await everyCall())).toEqual(GOOD);
  });

  test("no path answers anything but 503 with Retry-After", async () => {
    await vtn.database.cutOff();
    for (const { path, method } of endpointsOf31) {
      vtn.clock.advance({ seconds: 1 });
      const url = `${vtn.vtnUrl}${path.replace("{id}", programID)}`;
      const answer = await fetch(url, { method, headers: { authorization: `Bearer ${bl.token}` } });
      const body = (await answer.json()) as { readonly title?: string };
      expect([method, path, answer.status, body.title]).toEqual([method, path, 503, "Service Unavailable"]);
      expect(answer.headers.get("retry-after")).toBe("6");
    }
    await vtn.database.letIn();
    expect(statuses(await everyCall())).toEqual(GOOD);
  });

  test("nothing is lost: a report that was taken is there, one that was not can be sent again", async () => {
    const site = await equipped(vtn);
    const { id } = await newDispatch(vtn, site.programId);
    const event = await eventOf(vtn, site, id);
    const report = (state: string) => ({
      eventID: event.id,
      clientName: "gateway",
      resources: [
        {
          resourceName: site.participant.sites[0]?.id,
          intervals: [{ id: 0, payloads: [{ type: "OPERATING_STATE", values: [state] }] }],
        },
      ],
    });
    const taken = await site.ven.reports.made(report("IDLE_NORMAL"));
    // Due a moment later, when nobody can follow it.
    const other = await newDispatch(vtn, site.programId, { notification_time: ahead(vtn, { seconds: 5 }) });
    await vtn.database.cutOff();
    vtn.clock.advance({ seconds: 10 });
    expect(await site.ven.reports.create(report("RUNNING_NORMAL"))).toMatchObject({ status: 503 });
    expect(await site.ven.reports.search()).toMatchObject({ status: 503 });
    await vtn.database.letIn();
    await expect.poll(async () => (await site.ven.reports.search()).status).toBe(200);
    expect((await site.ven.reports.search()).body).toEqual([taken]);
    await site.ven.reports.made(report("RUNNING_NORMAL"));
    expect((await toldOf(vtn, id, site)).filter((each) => each.startsWith("acknowledged"))).toEqual([
      "acknowledged 0 IDLE_NORMAL",
      "acknowledged 0 RUNNING_NORMAL",
    ]);
    await eventOf(vtn, site, other.id);
  });

  test("what could not be written is nowhere, and is written by sending it again", async () => {
    await vtn.database.reconnectReadOnly(true);
    const program = { programName: "During a failover" };
    expect(await bl.programs.create(program)).toMatchObject({ status: 503 });
    expect(await bl.programs.search()).toMatchObject({ status: 200 });
    await vtn.database.reconnectReadOnly(false);
    expect(await bl.programs.create(program)).toMatchObject({ status: 201 });
  });
});

describe("two requests at once", () => {
  test("for one name make one program", async () => {
    const asked = Array.from({ length: 6 }, () => bl.programs.create({ programName: "Only once" }));
    const made = statuses(await Promise.all(asked)).toSorted(inOrder);
    expect(made).toEqual([201, 409, 409, 409, 409, 409]);
  });

  test("to register one client take over its ven once", async () => {
    const own = await vtn.ven();
    const request = { objectType: "VEN_VEN_REQUEST", venName: "registers twice" };
    const asked = Array.from({ length: 4 }, () => own.vens.create(request));
    expect(statuses(await Promise.all(asked)).toSorted(inOrder)).toEqual([201, 409, 409, 409]);
  });

  test("that delete a program and write events of it leave no event without a program", async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await bl.programs.made({ programName: `Deleted ${round}` });
      const writing = Array.from({ length: 4 }, () => bl.events.create({ programID: id }));
      const [removed, ...events] = await Promise.all([bl.programs.remove(id), ...writing]);
      expect(removed).toMatchObject({ status: 200 });
      for (const { status } of events) expect([201, 400]).toContain(status);
      expect((await bl.events.search({ programID: id })).body).toEqual([]);
    }
  });

  test("to one object are carried out one after the other, each later than the one before", async () => {
    const { id } = await bl.events.made({ programID });
    const names = ["a", "b", "c", "d"];
    const answers = await Promise.all(names.map((eventName) => bl.events.update(id, { programID, eventName })));
    const times = answers.map(({ body }) => body.modificationDateTime);
    expect(new Set(times).size).toBe(4);
    const last = answers
      .toSorted((a, b) => (a.body.modificationDateTime < b.body.modificationDateTime ? -1 : 1))
      .at(-1);
    expect((await bl.events.get(id)).body).toEqual(last?.body);
    const { rows } = await vtn.database.pool.query(
      "select object ->> 'modificationDateTime' as at from openadr3_changes where object_id = $1 order by seq",
      [id],
    );
    const told = rows.slice(1).map(({ at }) => Date.parse(at));
    expect(told).toEqual(times.map(Date.parse).toSorted(inOrder));
  });
});

test("after a restart, tokens and objects are what they were", async () => {
  await vtn.another();
  const restarted = await vtn.listenToOpenadr3();
  await vtn.stop();
  expect(await clientOf(restarted, ven.token).programs.get(programID)).toMatchObject({
    status: 200,
    body: { programName: "Program" },
  });
});
