import { beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { dispatchEvents } from "../../support/openadr3-objects.js";
import {
  answersTo,
  demand,
  dispatched,
  loadOf,
  nameOf,
  ownEvent,
  prepare,
  reporter,
  reportOf,
  vtn,
} from "../../support/reports-of-vens.js";

beforeAll(prepare);

describe("a report with load", () => {
  test("is found in GET /telemetry/kw", async () => {
    const sent = await reporter();
    const report = await sent.ven.reports.made(reportOf(sent.request, nameOf(sent), [demand(412.5)]));
    expect(report).toMatchObject({ objectType: "REPORT", clientID: sent.ven.id });
    const cells = await loadOf(sent);
    expect(cells).toHaveLength(2);
    expect(cells[0]).toMatchObject({ interval_seconds: 30, units: "kw", value: 412.5 });
    // The grid's cell whose middle the interval begins before.
    const startMs = new Date(ahead(vtn, { minutes: -10 })).getTime();
    const sinceMs = new Date(cells[0]?.timestamp ?? "").getTime() - startMs;
    expect(Math.abs(sinceMs - 30_000)).toBeLessThanOrEqual(15_000);
  });

  test("is refused as a whole, with the places of its faults, and then nothing is stored", async () => {
    const sent = await reporter();
    const good = reportOf(sent.request, nameOf(sent), [demand(1)]);
    const wrong = reportOf(sent.request, "heat pump", [demand("2")]);
    const answer = await sent.ven.reports.create({ ...good, resources: [...good.resources, ...wrong.resources] });
    expect(answer).toMatchObject({
      status: 400,
      body: {
        detail:
          'resources[1].resourceName is "heat pump", which is no resource of this VEN; GET /resources lists them. Nothing was stored; correct the upload and send all of it again.',
      },
    });
    expect(await loadOf(sent)).toEqual([]);
    expect((await sent.ven.reports.search()).body).toEqual([]);
  });

  test("is stored by no update of a report that is not there, or that is another's", async () => {
    const [sent, other] = [await reporter(), await reporter()];
    const { id } = await other.ven.reports.made(reportOf(other.request, nameOf(other), []));
    const body = reportOf(sent.request, nameOf(sent), [demand(1)]);
    expect(await sent.ven.reports.update(id, body)).toMatchObject({ status: 404 });
    expect(await sent.ven.reports.update("nothing", body)).toMatchObject({ status: 404 });
    expect(await loadOf(sent)).toEqual([]);
  });

  test("cannot name the event or the sites of another account", async () => {
    const [sent, other] = [await reporter(), await reporter()];
    const foreign = await sent.ven.reports.create(reportOf(other.request, nameOf(other), [demand(1)]));
    expect(foreign).toMatchObject({ status: 400, body: { detail: expect.stringContaining("eventID") } });
    const answer = await sent.ven.reports.create(reportOf(sent.request, nameOf(other), [demand(1)]));
    expect(answer).toMatchObject({ status: 400 });
    expect(await loadOf(other)).toEqual([]);
  });
});

describe("a report to an event that the service did not write", () => {
  test("is content: it is handed on as it is, and never is a reading of the same cells", async () => {
    const sent = await reporter();
    const { bl, program, event } = await ownEvent();
    const own = reportOf(event.id, nameOf(sent), [demand(555)]);
    for (const order of ["before", "after"]) {
      if (order === "after") await sent.ven.reports.made(reportOf(sent.request, nameOf(sent), [demand(10)]));
      await sent.ven.reports.made(own);
      const { id } = await sent.ven.reports.made(own);
      await sent.ven.reports.update(id, own);
      expect((await loadOf(sent)).map(({ value }) => value)).toEqual(order === "after" ? [10, 10] : []);
    }
    expect((await bl.reports.search({ eventID: event.id })).body).toHaveLength(4);
    await bl.programs.remove(program.id);
    expect((await loadOf(sent)).map(({ value }) => value)).toEqual([10, 10]);
    expect(await sent.ven.reports.create(own)).toMatchObject({ status: 400 });
  });
});

describe("an operating state", () => {
  test("answers the newest state of the dispatch", async () => {
    const { sent, dispatch, report } = await dispatched();
    await sent.ven.reports.made(report("RUNNING_CURTAILED"));
    expect(await answersTo(dispatch.id)).toEqual([
      { modification_number: 0, opt: "optIn", state: "RUNNING_CURTAILED", resource_names: [nameOf(sent)] },
    ]);
    const { id } = await sent.ven.reports.made(report("IDLE_OPTED_OUT"));
    await sent.ven.reports.update(id, report("ERROR"));
    expect((await answersTo(dispatch.id)).map(({ opt }) => opt)).toEqual(["optIn", "optOut", null]);
  });
});

describe("what a VEN was sent", () => {
  test("is kept once for each state of a dispatch; asking for the head alone shows nothing", async () => {
    const sent = await reporter();
    const program = await newProgram(vtn, [sent.participant]);
    const dispatch = await newDispatch(vtn, program);
    await expect.poll(() => dispatchEvents(vtn, sent.venId)).toHaveLength(1);
    const shown = async () =>
      (
        await vtn.database.pool.query(
          "select modification_number from openadr3_showings where dispatch_id = $1 order by modification_number",
          [dispatch.id],
        )
      ).rows.map(({ modification_number }) => modification_number);
    const authorization = `Bearer ${sent.ven.token}`;
    await fetch(`${vtn.vtnUrl}/events`, { method: "HEAD", headers: { authorization } });
    expect(await shown()).toEqual([]);
    await sent.ven.events.search();
    await sent.ven.events.search();
    expect(await shown()).toEqual([0]);
  });
});
