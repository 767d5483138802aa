import { operator, readTelemetry } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { type Client31, runningVtn, type Vtn } from "../../support/openadr-3.js";
import { dispatchEvents, objectsOf } from "../../support/openadr3-objects.js";
import type { Participant } from "../../support/running.js";

let vtn: Vtn;
beforeAll(async () => {
  vtn = await runningVtn();
});

interface Reporter {
  readonly participant: Participant;
  readonly ven: Client31 & { readonly id: string };
  readonly venId: string;
  /** The standing request for telemetry. */
  readonly request: string;
}

const reporter = async (sites: readonly (readonly string[])[] = [["main"]]): Promise<Reporter> => {
  const participant = await vtn.newParticipant({ sites });
  const ven = await vtn.ven({ participant });
  const [{ id: venId }] = (await ven.vens.search()).body;
  await expect.poll(() => objectsOf(vtn, "EVENT", venId)).toHaveLength(1);
  const [request] = await objectsOf(vtn, "EVENT", venId);
  return { participant, ven, venId, request: request.id };
};

/** The load of a participant's first site in the last hour. */
const loadOf = async ({ participant }: Pick<Reporter, "participant">) => {
  const site_id = [participant.sites[0]?.id ?? ""];
  const query = { site_id, start_time: ahead(vtn, { hours: -1 }), end_time: ahead(vtn, { minutes: 5 }) };
  const { body } = await participant.call(readTelemetry, { query });
  return body.data.sites[0]?.meters[0]?.telemetry ?? [];
};

const reportOf = (eventID: string, resourceName: string, payloads: readonly object[], minutes = -10) => ({
  eventID,
  clientName: "gateway",
  resources: [
    {
      resourceName,
      intervalPeriod: { start: ahead(vtn, { minutes }), duration: "PT1M" },
      intervals: [{ id: 0, payloads }],
    },
  ],
});

const demand = (kw: unknown) => ({ type: "DEMAND", values: [kw] });

const nameOf = ({ participant }: Reporter): string => participant.sites[0]?.id ?? "";

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

  test("of energy is the mean power, and an update of the report replaces it", async () => {
    const sent = await reporter();
    const body = (kwh: number) => reportOf(sent.request, nameOf(sent), [{ type: "USAGE", values: [kwh] }]);
    const { id } = await sent.ven.reports.made(body(1));
    expect((await loadOf(sent)).map(({ value }) => value)).toEqual([60, 60]);
    expect(await sent.ven.reports.update(id, body(2))).toMatchObject({ status: 200 });
    expect((await loadOf(sent)).map(({ value }) => value)).toEqual([120, 120]);
  });

  test("of a battery has its power in DEMAND; USAGE is its state of charge, however large, and no power", async () => {
    const sent = await reporter();
    const { participant, request, ven } = sent;
    const [site] = participant.sites;
    await vtn.made(operator.changeMeter, {
      params: { id: site?.meters[0] ?? "" },
      body: { asset_type: "battery" },
    });
    const payloads = [{ type: "USAGE", values: [500_000] }, demand(10)];
    await ven.reports.made(reportOf(request, nameOf(sent), payloads));
    await ven.reports.made(reportOf(request, nameOf(sent), [{ type: "USAGE", values: [480] }], -5));
    expect((await loadOf(sent)).map(({ value }) => value)).toEqual([10, 10]);
    const energy = await vtn.made(operator.getAnySiteEnergy, {
      params: { id: site?.id ?? "" },
      query: { start_time: ahead(vtn, { minutes: -15 }), end_time: ahead(vtn, { minutes: 0 }), points: 5000 },
    });
    expect(energy.meters[0]?.charge_kwh?.filter((kwh) => kwh !== null)).toEqual([500_000, 500_000, 480, 480]);
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

  test("in the future is refused by its place", async () => {
    const sent = await reporter();
    const answer = await sent.ven.reports.create(reportOf(sent.request, nameOf(sent), [demand(1)], 10));
    expect(answer).toMatchObject({
      status: 400,
      body: {
        detail: expect.stringMatching(
          /^resources\[0\]\.intervals\[0\]\.payloads\[0\] ends at .*, which is in the future/,
        ),
      },
    });
  });

  test("of a site with several meters is refused, since nobody knows which it is of", async () => {
    const sent = await reporter([["one", "two"]]);
    const answer = await sent.ven.reports.create(reportOf(sent.request, nameOf(sent), [demand(1)]));
    expect(answer).toMatchObject({
      status: 400,
      body: {
        detail:
          "resources[0].intervals[0].payloads[0] is of a site with several meters; send the load of each meter to POST /telemetry. Nothing was stored.",
      },
    });
  });

  test("of more readings than an upload may have is refused", async () => {
    const small = await runningVtn({ CURTAIL_MAX_READINGS: "2" });
    const participant = await small.newParticipant();
    const ven = await small.ven({ participant });
    await expect.poll(async () => (await ven.events.search()).body).toHaveLength(1);
    const [request] = (await ven.events.search()).body;
    const intervals = [0, 1, 2].map((id) => ({ id, payloads: [demand(id)] }));
    const start = ahead(small, { minutes: -30 });
    const resources = [
      { resourceName: participant.sites[0]?.id, intervalPeriod: { start, duration: "PT1M" }, intervals },
    ];
    expect(await ven.reports.create({ eventID: request.id, clientName: "gateway", resources })).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/^the report has more than 2 readings/) },
    });
  });

  test("for an event of the operator is recorded for sites, and kept for other resources", async () => {
    const sent = await reporter();
    const bl = await vtn.bl();
    const program = await bl.programs.made({ programName: `Prices ${sent.ven.id}` });
    const price = { id: 0, payloads: [{ type: "PRICE", values: [0.2] }] };
    const event = await bl.events.made({ programID: program.id, intervals: [price] });
    const own = reportOf(event.id, nameOf(sent), [demand(7)]);
    const others = { resourceName: "heat pump", intervals: [{ id: 0, payloads: [{ type: "USAGE", values: [100] }] }] };
    await sent.ven.reports.made({ ...own, resources: [...own.resources, others] });
    expect((await loadOf(sent)).map(({ value }) => value)).toEqual([7, 7]);
    expect((await bl.reports.search({ eventID: event.id })).body).toHaveLength(1);
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

const dispatched = async () => {
  const sent = await reporter();
  const program = await newProgram(vtn, [sent.participant]);
  const dispatch = await newDispatch(vtn, program, { start_time: ahead(vtn, { minutes: 1 }) });
  await expect.poll(() => dispatchEvents(vtn, sent.venId)).toHaveLength(1);
  const [event] = await dispatchEvents(vtn, sent.venId);
  const report = (state: string) => ({
    eventID: event.id,
    clientName: "gateway",
    resources: [
      {
        resourceName: nameOf(sent),
        intervals: [{ id: 0, payloads: [{ type: "OPERATING_STATE", values: [state] }] }],
      },
    ],
  });
  return { sent, dispatch, event, report };
};

const answersTo = async (dispatchId: string) =>
  (
    await vtn.database.pool.query(
      "select modification_number, opt, state, resource_names from openadr3_answers where dispatch_id = $1 order by seq",
      [dispatchId],
    )
  ).rows;

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

  test("of the standing request answers no dispatch", async () => {
    const { sent, dispatch, report } = await dispatched();
    await sent.ven.reports.made({ ...report("NORMAL"), eventID: sent.request });
    expect(await answersTo(dispatch.id)).toEqual([]);
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
