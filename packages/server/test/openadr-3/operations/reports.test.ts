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

  test("of a site with several meters names each of them, as the request tells beforehand", async () => {
    const sent = await reporter([["one", "two"], ["main"]]);
    const [site, single] = sent.participant.sites;
    const names = [`${site?.id}/one`, `${site?.id}/two`];
    const { reportDescriptors } = (await sent.ven.events.get(sent.request)).body;
    for (const { targets } of reportDescriptors) expect(targets).toEqual([...(site?.meters ?? []), single?.id]);
    const [resource] = (await sent.ven.resources.search()).body;
    expect(resource.attributes).toContainEqual({ type: "METER_NAMES", values: names });
    expect(resource.attributes).toContainEqual({ type: "METER_IDS", values: site?.meters });
    const [one, two] = names.map((name, index) => reportOf(sent.request, name, [demand(index + 1)]).resources);
    const report = { ...reportOf(sent.request, "", []), resources: [...(one ?? []), ...(two ?? [])] };
    await sent.ven.reports.made(report);
    const query = {
      site_id: [site?.id ?? ""],
      start_time: ahead(vtn, { hours: -1 }),
      end_time: ahead(vtn, { minutes: 5 }),
    };
    const { meters } = (await sent.participant.call(readTelemetry, { query })).body.data.sites[0] ?? {};
    expect(meters?.map(({ telemetry }) => telemetry?.map(({ value }) => value))).toEqual([
      [1, 1],
      [2, 2],
    ]);
    await sent.ven.reports.made(reportOf(sent.request, site?.meters[1] ?? "", [demand(5)]));
    const later = await sent.participant.call(readTelemetry, { query });
    expect(later.body.data.sites[0]?.meters[1]?.telemetry?.map(({ value }) => value)).toEqual([5, 5]);
    const alone = await sent.ven.reports.create(reportOf(sent.request, nameOf(sent), [demand(1)]));
    expect(alone).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining(`a site with several meters; give an entry for each of "${names[0]}"`) },
    });
  });

  test("follows the meters of a site as they are added and renamed", async () => {
    const sent = await reporter();
    const [site] = sent.participant.sites;
    const asked = async () => (await sent.ven.events.get(sent.request)).body.reportDescriptors[0].targets;
    expect(await asked()).toBeUndefined();
    await sent.ven.reports.made(reportOf(sent.request, nameOf(sent), [demand(1)]));
    const second = await vtn.made(operator.createMeter, {
      params: { id: site?.id ?? "" },
      body: { name: "roof", asset_type: "load" },
    });
    await expect.poll(asked).toEqual([site?.meters[0], second.id]);
    expect(await sent.ven.reports.create(reportOf(sent.request, nameOf(sent), [demand(2)]))).toMatchObject({
      status: 400,
    });
    await vtn.made(operator.changeMeter, { params: { id: second.id }, body: { name: "pool" } });
    const names = async () => (await sent.ven.resources.search()).body[0].attributes;
    await expect.poll(names).toContainEqual({ type: "METER_NAMES", values: [`${site?.id}/main`, `${site?.id}/pool`] });
    await sent.ven.reports.made(reportOf(sent.request, `${site?.id}/main`, [demand(3)]));
    expect((await loadOf(sent)).map(({ value }) => value)).toEqual([3, 3]);
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

/** An event of business logic, in a program of its own. */
const ownEvent = async (more: object = {}) => {
  const bl = await vtn.bl();
  const program = await bl.programs.made({ programName: `Prices of ${bl.id}` });
  const intervals = [{ id: 0, payloads: [{ type: "PRICE", values: [0.2] }] }];
  return { bl, program, event: await bl.events.made({ programID: program.id, intervals, ...more }) };
};

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

  test.each([
    ["a forecast", { historical: false }, [demand(5)], { start: "2099-01-01T00:00:00Z", duration: "PT15M" }],
    ["of any length and age", {}, [demand(5)], { start: "1990-01-01T00:00:00Z", duration: "PT7S" }],
    ["without a time", {}, [demand(5)], undefined],
    ["with values of its own kind", {}, [demand("much"), demand("more")], undefined],
  ])("is kept: %s", async (_what, more, payloads, intervalPeriod) => {
    const sent = await reporter();
    const reportDescriptors = [{ payloadType: "DEMAND", units: "KVA", ...more }];
    const { bl, event } = await ownEvent({ intervals: undefined, reportDescriptors });
    const [first] = reportOf(event.id, nameOf(sent), payloads).resources;
    const resources = [
      { ...first, resourceName: "heat pump", intervalPeriod },
      { ...first, intervalPeriod },
    ];
    const made = await sent.ven.reports.made({ eventID: event.id, clientName: "gateway", resources });
    expect((await bl.reports.get(made.id)).body).toMatchObject({
      id: made.id,
      resources: [{ intervals: [{ payloads }] }, {}],
    });
    expect(await loadOf(sent)).toEqual([]);
  });
});

test("an estimate is content, also as an answer to our own request", async () => {
  const sent = await reporter();
  await sent.ven.reports.made(reportOf(sent.request, nameOf(sent), [demand(10)]));
  const payloadDescriptors = [{ payloadType: "DEMAND", readingType: "ESTIMATED", units: "KW" }];
  const estimate = { ...reportOf(sent.request, nameOf(sent), [demand(99)]), payloadDescriptors };
  const { id } = await sent.ven.reports.made(estimate);
  expect((await sent.ven.reports.get(id)).body).toMatchObject({ payloadDescriptors });
  expect((await loadOf(sent)).map(({ value }) => value)).toEqual([10, 10]);
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

  test("may come with the load, which is a reading", async () => {
    const { sent, event } = await dispatched();
    await sent.ven.reports.made(reportOf(event.id, nameOf(sent), [demand(20)]));
    expect((await loadOf(sent)).map(({ value }) => value)).toEqual([20, 20]);
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
