import {
  type Clock,
  curtailmentWindows,
  type MeterReadings,
  readTelemetry,
  upload,
  uploadControllableLoad,
} from "@curtail/client";
import { beforeAll, expect, test } from "vitest";
import { clockOf, connected, MINUTE_MS, prepare, service } from "../../support/client-of-service.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { type Participant, running } from "../../support/running.js";

beforeAll(prepare);

test("windows are made of what the service lists", async () => {
  const anna = await service.newParticipant();
  const program = await newProgram(service, [anna], { commitment: 30 });
  const times = [1, 2, 3].map((hours) => ahead(service, { hours }));
  const [one = "", two = "", three = ""] = times;
  const a = await newDispatch(service, program, { start_time: one, end_time: three });
  const b = await newDispatch(service, program, { start_time: two, end_time: null });
  const { dispatches } = await connected(service, anna).listDispatches();
  const site_id = anna.sites[0]?.id;
  expect(curtailmentWindows(dispatches)).toEqual([
    { site_id, start_time: one, end_time: two, commitment: 30, dispatch_ids: [a.id] },
    { site_id, start_time: two, end_time: three, commitment: 60, dispatch_ids: [a.id, b.id] },
    { site_id, start_time: three, end_time: null, commitment: 30, dispatch_ids: [b.id] },
  ]);
});

test("a call that is one too many is repeated after the time that the service asks for", async () => {
  const limited = await running({ CURTAIL_RATE_LIMIT: "3" });
  const anna = await limited.newParticipant();
  const waits: number[] = [];
  const { now, sleep } = clockOf(limited);
  const clock: Clock = {
    now,
    sleep: (ms, signal) => {
      waits.push(ms);
      return sleep(ms, signal);
    },
  };
  const participant = connected(limited, anna, { clock, random: () => 0 });
  for (let call = 0; call < 5; call++) await participant.listSites();
  expect(waits.length).toBeGreaterThan(0);
  expect(waits.every((ms) => ms > 0 && ms <= MINUTE_MS)).toBe(true);
});

test("a test dispatch whose response was lost is created once", async () => {
  const anna = await service.newParticipant();
  let requests = 0;
  const losing: typeof fetch = async (...request) => {
    requests += 1;
    const response = await fetch(...request);
    if (requests > 1) return response;
    await response.arrayBuffer();
    throw new TypeError("the connection was lost");
  };
  const participant = connected(service, anna, { fetch: losing });
  const times = { start_time: ahead(service, { hours: 1 }), end_time: ahead(service, { hours: 2 }) };
  const { id } = await participant.createTestDispatch(times);
  expect(requests).toBe(2);
  expect((await participant.listDispatches()).dispatches.map((each) => each.id)).toEqual([id]);
});

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
