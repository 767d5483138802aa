import { get } from "node:http";
import { operator as contract } from "@curtail/contract";
import type pg from "pg";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openStream, openStreamAt } from "../../support/event-stream.js";
import { expectError } from "../../support/expect-error.js";
import { dispatchBetween, intervalsBetween, measuredProgram, uploadIntervals } from "../../support/measuring.js";
import { OPERATOR_TOKEN, type Participant, type Running, running } from "../../support/running.js";

// The first look at a dispatch that nobody follows, whose readings take long to read because the table is locked.
const START = "2026-06-10T18:00:00Z";
const at = (minutes: number): string => new Date(Date.parse(START) + minutes * 60_000).toISOString();

let service: Running;
let anna: Participant;
let dispatchId: string;
let ben: Participant;
let holder: pg.PoolClient;

beforeAll(async () => {
  // No worker: it would follow the dispatch before anybody looks.
  service = await running(
    { CURTAIL_ROLES: "api", DATABASE_URL: "postgres://given.by.the.test/db" },
    { lookWaitMs: 50 },
  );
  ben = await service.newParticipant();
});

beforeEach(async () => {
  service.clock.set(new Date(START));
  anna = await service.newParticipant({ sites: [["main"], ["main"]] });
  for (const { meters } of anna.sites)
    await uploadIntervals(
      anna,
      meters[0] ?? "",
      intervalsBetween([at(-60), at(0)], 30, () => 100),
    );
  const baseline = { method: { kind: "meter_before", seconds: 900, anchor: "start" } };
  dispatchId = await dispatchBetween(service, await measuredProgram(service, [anna], { baseline }), [START, at(60)]);
  service.clock.set(new Date(at(10)));
  holder = await service.database.pool.connect();
  await holder.query("begin; lock table telemetry_hours in access exclusive mode");
});

const letGo = (): Promise<unknown> => holder.query("rollback");

afterEach(async () => {
  await letGo();
  holder.release();
});

const path = () => `/dispatches/${dispatchId}/performance`;
const look = () => service.operator("GET", path());
const preparing = { status: 202, body: { dispatch_id: expect.any(String), state: "preparing", progress: 0 } };

/** Number of reads that wait for the table; updates for other tests wait, too. */
const held = async (): Promise<number> => {
  const { rows } = await service.database.pool.query<{ count: number }>(
    `select count(*) from pg_stat_activity
     where datname = current_database() and wait_event = 'relation' and query like '%asked (site, meter)%'`,
  );
  return rows[0]?.count ?? 0;
};

/** Fails the one read that is waiting. */
const fail = async (): Promise<void> => {
  await expect.poll(held).toBe(1);
  const { rows } = await service.database.pool.query<{ pid: number }>(
    `select pg_cancel_backend(pid), pid from pg_stat_activity
     where datname = current_database() and wait_event = 'relation' and query like '%asked (site, meter)%'`,
  );
  expect(rows).toHaveLength(1);
};

test("a table of what is not read yet answers 202, too, and then is the file", async () => {
  const first = await service.operator("GET", `${path()}/table`);
  expect(first).toMatchObject(preparing);
  expect(first.headers.get("retry-after")).toBe("5");
  await letGo();
  const text = async () => (await service.operator("GET", `${path()}/table?interval_seconds=3600`)).text;
  await expect.poll(text).toMatch(/^dispatch_id,version,site_id/);
});

describe("GET", () => {
  test("answers 202 and when to ask again; a later look finds what was read meanwhile", async () => {
    const first = await look();
    expect(first).toMatchObject(preparing);
    expect(first.body.dispatch_id).toBe(dispatchId);
    expect(first.body.message).toMatch(/are being loaded, 0 % of its sites so far; try again in 5 seconds/);
    expect(first.headers.get("retry-after")).toBe("5");
    await letGo();
    const sites = anna.sites.map(({ id }) => ({ site_id: id }));
    await expect.poll(look).toMatchObject({ status: 200, body: { state: "in_progress", sites } });
  });

  test("is answered alike for one site, as CSV too, and for a participant", async () => {
    const site = `/dispatches/${dispatchId}/sites/${anna.sites[0]?.id}/performance`;
    expect(await service.operator("GET", site)).toMatchObject(preparing);
    const csv = await anna.call("GET", `${site}?format=csv`);
    expect(csv).toMatchObject(preparing);
    expect(csv.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(await anna.call("GET", path())).toMatchObject(preparing);
    await letGo();
    await expect.poll(() => anna.call("GET", path())).toMatchObject({ status: 200 });
  });

  test("asked again and again, by streams too, reads once", async () => {
    const streams = [
      await openStream(service.url, `${path()}/stream`),
      await openStream(service.url, `${path()}/stream`),
    ];
    for (let asked = 0; asked < 3; asked++) expect(await look()).toMatchObject(preparing);
    await Promise.all([look(), look(), anna.call("GET", path())]);
    expect(await held()).toBe(1);
    await letGo();
    for (const stream of streams) {
      expect(await stream.next()).toMatchObject({ event: "snapshot" });
      stream.close();
    }
  });

  test("answers 404 at once for a dispatch that there is not, or that calls others", async () => {
    expectError(
      await service.operator(contract.getAnyDispatchPerformance, { params: { id: "dis_0" } }),
      404,
      /No such dispatch/,
    );
    expectError(
      await service.operator(contract.streamAnyDispatchPerformance, { params: { id: "dis_0" } }),
      404,
      /No such dispatch/,
    );
    for (const each of [path(), `${path()}/stream`]) expectError(await ben.call("GET", each), 404);
    expect(await held()).toBe(0);
  });

  test("after a change of the dispatch is prepared again, not answered as it was", async () => {
    await letGo();
    await expect.poll(look).toMatchObject({ status: 200 });
    await service.made(contract.changeDispatch, { params: { id: dispatchId }, body: { start_time: at(5) } });
    await holder.query("begin; lock table telemetry_hours in access exclusive mode");
    expect(await look()).toMatchObject(preparing);
    await letGo();
    await expect.poll(look).toMatchObject({ status: 200, body: { start_time: at(5).replace(".000", "") } });
  });
});

describe("a reading that fails", () => {
  test("is told to who asks next, and tried again by who asks then", async () => {
    expect(await look()).toMatchObject(preparing);
    await fail();
    await expect.poll(look).toMatchObject({ status: 500, body: { message: expect.stringMatching(/Reference/) } });
    // Callers who were waiting when it failed were told, too.
    await expect.poll(look).toMatchObject(preparing);
    await letGo();
    await expect.poll(look).toMatchObject({ status: 200 });
  });

  test("ends streams with an event that says so; who connects again has it read again", async () => {
    const stream = await openStream(service.url, `${path()}/stream`);
    await expect.poll(held).toBe(1);
    await fail();
    expect(await stream.next()).toMatchObject({
      event: "failed",
      data: { message: expect.stringMatching(/connect again .* Reference/) },
    });
    expect(await stream.next()).toBeNull();
    const again = await openStream(service.url, `${path()}/stream`);
    await letGo();
    expect(await again.next()).toMatchObject({ event: "snapshot" });
    again.close();
  });
});

describe("the stream", () => {
  test("opens at once, and sends its snapshot when everything is read", async () => {
    const operator = await openStream(service.url, `${path()}/stream`);
    const own = await openStreamAt(`${service.url}/2022-04-15${path()}/stream`, { "x-service-api-key": anna.key });
    await expect.poll(held).toBe(1);
    await letGo();
    for (const stream of [operator, own]) {
      const first = await stream.next();
      expect(first).toMatchObject({ event: "snapshot", data: { dispatch_id: dispatchId, state: "in_progress" } });
      expect(first?.data.sites).toHaveLength(2);
      stream.close();
    }
  });

  test("has what is measured so far of many sites, to each its own, before the snapshot", async () => {
    const chain = await service.newParticipant({ sites: Array.from({ length: 30 }, () => ["main"]) });
    const baseline = { method: { kind: "meter_before", seconds: 900, anchor: "start" } };
    await letGo();
    const programId = await measuredProgram(service, [chain, anna], { baseline });
    dispatchId = await dispatchBetween(service, programId, [START, at(60)]);
    await holder.query("begin; lock table telemetry_hours in access exclusive mode");
    const operator = await openStream(service.url, `${path()}/stream`);
    const own = await openStreamAt(`${service.url}/2022-04-15${path()}/stream`, { "x-service-api-key": anna.key });
    await expect.poll(held).toBe(2);
    await letGo();
    const first = await operator.next();
    expect(first).toMatchObject({ event: "preparing", data: { measured_sites: 16, sites: 32 } });
    expect(first?.data.performance).toMatchObject({ dispatch_id: dispatchId, totals: { sites: 16 } });
    expect(first?.data.curve.length).toBeGreaterThan(100);
    for (let next = await operator.next(); next?.event !== "snapshot"; next = await operator.next())
      expect(next?.event).toBe("preparing");
    const ids = anna.sites.map(({ id }) => id);
    for (let next = await own.next(); next !== null; next = next.event === "snapshot" ? null : await own.next()) {
      const shown = next.data.performance ?? next.data;
      expect(ids).toEqual(expect.arrayContaining(shown.sites.map((site: { site_id: string }) => site.site_id)));
    }
    for (const stream of [operator, own]) stream.close();
  });

  test("left before its snapshot holds up nothing, and the reading goes on", async () => {
    const stream = await openStream(service.url, `${path()}/stream`);
    await expect.poll(held).toBe(1);
    stream.close();
    const left = get(`${service.url}/operator/v1${path()}`, { headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } });
    left.on("error", () => {});
    left.destroy();
    expect(await held()).toBe(1);
    await letGo();
    await expect.poll(look).toMatchObject({ status: 200 });
  });
});
