import { operator, readTelemetry } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead } from "../../support/dispatching.js";
import { runningVtn } from "../../support/openadr-3.js";
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
});

describe("a report to an event that the service did not write", () => {
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

describe("an operating state", () => {
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
