import {
  type DispatchChange,
  type MeterReadings,
  readTelemetry,
  type StateStore,
  upload,
  uploadControllableLoad,
  verifyWebhook,
  type WatchState,
  watchDispatches,
} from "@curtail/client";
import { operator } from "@curtail/contract";
import { receiver } from "@curtail/testing/receiver";
import { beforeAll, expect, test } from "vitest";
import { connected, MINUTE_MS, prepare, service } from "../../support/client-of-service.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import type { Participant } from "../../support/running.js";

beforeAll(prepare);

/** Readings of a meter, minute by minute, up to now. */
const minutes = (meter: string, count: number, of = service) => {
  const end = Math.floor(of.clock.now().getTime() / MINUTE_MS) * MINUTE_MS;
  return Array.from({ length: count }, (_, index) => ({
    meter_id: meter,
    interval_seconds: 60,
    timestamp: new Date(end - (count - 1 - index) * MINUTE_MS).toISOString(),
    kW: index,
  }));
};

const meterOf = ({ sites }: Participant): string => sites[0]?.meters[0] ?? "";

/** Calls of `fetch`, to count requests. */
const counting = () => {
  const counted = { requests: 0 };
  const fetchWith: typeof fetch = (...request) => {
    counted.requests += 1;
    return fetch(...request);
  };
  return { counted, fetch: fetchWith };
};

/** What a watch yields next: type, dispatch and modification. */
const next = async (of: AsyncGenerator<DispatchChange>): Promise<unknown[]> => {
  const { value } = await of.next();
  const { type, dispatch } = value as DispatchChange;
  return [type, dispatch.id, dispatch.modification_number];
};

test("a watch sees a dispatch created, changed, cancelled and over, each once, also over a restart", async () => {
  const anna = await service.newParticipant();
  const program = await newProgram(service, [anna]);
  let saved: WatchState | null = null;
  const store: StateStore = { load: async () => saved, save: async (state) => void (saved = state) };
  // Each wait moves the clock, which a stream would not wait for: watch-dispatches.test.ts has one.
  const options = { store, stream: false };
  const watch = watchDispatches(connected(service, anna), options);
  const first = await newDispatch(service, program);
  expect(await next(watch)).toEqual(["created", first.id, 0]);
  const params = { id: first.id };
  await service.made(operator.changeDispatch, { params, body: { end_time: ahead(service, { hours: 2 }) } });
  expect(await next(watch)).toEqual(["changed", first.id, 1]);
  const second = await newDispatch(service, program, { end_time: ahead(service, { hours: 3 }) });
  expect(await next(watch)).toEqual(["created", second.id, 0]);

  // The process ends while it handles the second; its successor handles it again.
  const again = watchDispatches(connected(service, anna), options);
  expect(await next(again)).toEqual(["created", second.id, 0]);
  await service.made(operator.changeDispatch, { params: { id: second.id }, body: { authorized: false } });
  expect(await next(again)).toEqual(["cancelled", second.id, 1]);
  expect(await next(again)).toEqual(["over", first.id, 1]);
  expect(service.clock.now().getTime()).toBeGreaterThan(Date.parse(first.start_time));
});

test("readings of more than one request's limit come back, each once", async () => {
  const anna = await service.newParticipant({ sites: [["main", "solar"], ["main"]] });
  const { counted, fetch: fetchWith } = counting();
  const participant = connected(service, anna, { fetch: fetchWith });
  const DAYS = 9;
  const sent = minutes(meterOf(anna), DAYS * 24 * 60);
  expect(await upload(participant, sent)).toEqual({ stored: sent.length, setAside: [], warnings: [] });
  const uploads = counted.requests;
  const period = { start: ahead(service, { days: -DAYS, minutes: -5 }), end: ahead(service, { minutes: 1 }) };
  const siteIds = anna.sites.map(({ id }) => id);
  const found: MeterReadings[] = [];
  for await (const each of readTelemetry(participant, { siteIds, ...period, intervalSeconds: 60 })) found.push(each);
  const readings = found.flatMap((each) => each.readings);
  expect(new Set(found.map(({ meter_id }) => meter_id))).toEqual(new Set([meterOf(anna)]));
  expect(readings.map(({ value }) => value)).toEqual(sent.map(({ kW }) => kW));
  expect([uploads, counted.requests - uploads]).toEqual([2, 2]);
  // At 30 seconds there are twice as many.
  const fine: number[] = [];
  for await (const each of readTelemetry(participant, { siteIds, ...period })) fine.push(each.readings.length);
  expect(fine.reduce((sum, count) => sum + count, 0)).toBe(2 * sent.length);
});

/** Of these, one in ten has a wrong interval, too much power or an unknown meter, and one in a hundred no time. */
const isWrong = (index: number): boolean => [3, 6, 9].includes(index % 10) || index % 100 === 8;

test("more faulty readings than a refusal names are set aside, and all others are stored", async () => {
  const anna = await service.newParticipant();
  const { counted, fetch: fetchWith } = counting();
  const participant = connected(service, anna, { fetch: fetchWith });
  const good = minutes(meterOf(anna), 500);
  const readings = good.map((reading, index) => {
    if (index % 10 === 3) return { ...reading, interval_seconds: 45 };
    if (index % 10 === 6) return { ...reading, kW: 20_000_000 };
    if (index % 100 === 8) return { ...reading, timestamp: "soon" };
    return index % 10 === 9 ? { ...reading, meter_id: "mtr_unknown" } : reading;
  });
  const { stored, setAside } = await upload(participant, readings);
  expect(setAside.map(({ index }) => index)).toEqual(readings.flatMap((_, index) => (isWrong(index) ? [index] : [])));
  expect(stored).toBe(500 - setAside.length);
  expect(setAside.slice(0, 4).map(({ reason }) => reason)).toEqual([
    "interval_seconds is 45; it must be divisible by 30",
    "kW is 20000000 kW; its magnitude may be at most 10000000 kW",
    'timestamp is "soon"; give RFC 3339 with an offset, for example 2026-07-01T18:00:00Z',
    "meter_id names no meter of this account; GET /sites lists them",
  ]);
  expect(counted.requests).toBeLessThan(40);
  const period = {
    siteIds: anna.sites.map(({ id }) => id),
    start: ahead(service, { hours: -9 }),
    end: ahead(service, {}),
  };
  const found: number[] = [];
  for await (const each of readTelemetry(participant, { ...period, intervalSeconds: 60 }))
    found.push(...each.readings.map(({ value }) => value));
  expect(found).toEqual(good.flatMap(({ kW }, index) => (isWrong(index) ? [] : [kW])));
});

test("controllable load is uploaded, and a foreign site's set aside", async () => {
  const anna = await service.newParticipant();
  const load = { interval_seconds: 900, timestamp: ahead(service, {}), units: "kW", value: 180 } as const;
  const site_id = anna.sites[0]?.id ?? "";
  const { stored, setAside } = await uploadControllableLoad(connected(service, anna), [
    { ...load, site_id },
    { ...load, site_id: "site_unknown" },
  ]);
  expect([stored, setAside.map(({ index }) => index)]).toEqual([1, [1]]);
  expect(setAside[0]?.reason).toMatch(/names no site of this account/);
});

test("notices of the service are verified with the webhook's secret, and with no other", async () => {
  const [anna, hook] = [await service.newParticipant(), await receiver()];
  const events = [{ name: "dispatch.create" as const }];
  const { id } = await connected(service, anna).createWebhook({ url: hook.url, events });
  const page = await service.made(operator.listAccountWebhooks, { params: { id: anna.accountId } });
  const secrets = page.items.find((each) => each.id === id)?.secrets ?? [];
  const dispatch = await newDispatch(service, await newProgram(service, [anna]));
  const [notice] = await hook.notices(1);
  const [registration] = hook.received;
  const request = { nowMs: service.clock.now().getTime(), secrets };
  const verify = (of: typeof notice, changes: object = {}) =>
    verifyWebhook({ ...request, headers: of?.headers ?? {}, body: of?.text ?? "", ...changes });
  expect(await verify(notice)).toMatchObject({
    ok: true,
    notice: { event: "dispatch.create", dispatchId: dispatch.id },
  });
  expect(await verify(registration)).toMatchObject({ ok: true, notice: { event: "test", dispatchId: null } });
  expect(await verify(notice, { secrets: ["whsec_AAAA"] })).toEqual({ ok: false, fault: "signature_wrong" });
});

test("every method of an account's day works on the service", async () => {
  const anna = await service.newParticipant();
  const participant = connected(service, anna);
  const { sites } = await participant.listSites();
  const [site] = sites;
  const [start_time, end_time] = [ahead(service, { hours: 2 }), ahead(service, { hours: 3 })];
  const block = await participant.changeSchedule({ site_id: site?.id ?? "", available: false, start_time, end_time });
  expect(block).toEqual({ site_id: site?.id, available: false, start_time, end_time });
  const { id } = await newDispatch(service, await newProgram(service, [anna]), {
    end_time: ahead(service, { hours: 1.5 }),
  });
  expect(await participant.getDispatch({ id })).toMatchObject({ id, end_time: ahead(service, { hours: 1.5 }) });
  expect(await participant.listWebhooks()).toEqual({ page: 0, perPage: 0, webhooks: [] });
  expect((await participant.listStatements()).items).toEqual([]);
  await expect(participant.getDispatch({ id: "dis_unknown" })).rejects.toMatchObject({
    status: 404,
    type: "Not Found",
    retryAfter: null,
  });
  await expect(participant.listScenarios()).rejects.toMatchObject({ status: 404 });
});
