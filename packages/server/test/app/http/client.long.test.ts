import { type Clock, curtailmentWindows } from "@curtail/client";
import { beforeAll, expect, test } from "vitest";
import { clockOf, connected, MINUTE_MS, prepare, service } from "../../support/client-of-service.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { running } from "../../support/running.js";

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
