import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ahead } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { type Participant, type Running, running } from "../../support/running.js";

// Specification, endpoint 8: POST /telemetry/controllable-load; G28.
let service: Running;
let anna: Participant;
let siteId: string;

beforeAll(async () => {
  service = await running({ CURTAIL_MAX_READINGS: "100" });
});

beforeEach(async () => {
  anna = await service.newParticipant({ sites: [["main"], ["main"]] });
  siteId = anna.sites[0]?.id ?? "";
});

const reading = (than: object = {}) => ({
  interval_seconds: 900,
  site_id: siteId,
  timestamp: ahead(service, {}),
  units: "kW",
  value: 120.5,
  ...than,
});
const send = (...controllable_load: object[]) =>
  anna.call("POST", "/telemetry/controllable-load", { controllable_load });

/** What the table has for the account's sites. */
const stored = async () => {
  const { rows } = await service.database.pool.query(
    `select sites.id as site_id, at, interval_seconds, kw from controllable_load join sites on sites.key = site
     where account_id = $1 order by sites.seq, at`,
    [anna.accountId],
  );
  return rows;
};

describe("controllable load", () => {
  test("is stored as submitted", async () => {
    const timestamp = ahead(service, { seconds: 7 });
    const answer = await send(reading({ timestamp, interval_seconds: 61, value: -12.25 }));
    expect(answer.body).toEqual({ received: 1 });
    expect(await stored()).toEqual([{ site_id: siteId, at: new Date(timestamp), interval_seconds: 61, kw: -12.25 }]);
  });

  test("of one site and moment is what was sent last, in one request and over several", async () => {
    expect((await send(reading({ value: 1 }), reading({ value: 2 }))).body).toEqual({ received: 2 });
    expect(await stored()).toMatchObject([{ kw: 2 }]);
    await send(reading({ value: 3, interval_seconds: 60 }));
    expect(await stored()).toMatchObject([{ kw: 3, interval_seconds: 60 }]);
  });

  test("of other moments and sites does not replace it", async () => {
    const second = anna.sites[1]?.id;
    await send(reading(), reading({ timestamp: ahead(service, { minutes: 1 }) }), reading({ site_id: second }));
    expect(await stored()).toMatchObject([{ site_id: siteId }, { site_id: siteId }, { site_id: second }]);
  });

  test("takes intervals from 1 second to a day, and forecasts", async () => {
    const forecast = ahead(service, { days: 3 });
    expect(
      (await send(reading({ interval_seconds: 1 }), reading({ interval_seconds: 86_400, timestamp: forecast }))).status,
    ).toBe(200);
    for (const interval_seconds of [0, -30, 1.5, 86_401]) {
      expectError(await send(reading({ interval_seconds })), 400, /controllable_load\[0\]\.interval_seconds/);
    }
  });

  test("is one value a second of time and site: a timestamp is cut to its second (G54)", async () => {
    const second = ahead(service, { seconds: 5 });
    const within = [".0Z", ".25Z", ".999Z"].map((end) => second.replace("Z", end));
    for (const [value, timestamp] of within.entries())
      expect((await send(reading({ timestamp, value }))).status).toBe(200);
    expect((await send(...within.map((timestamp, value) => reading({ timestamp, value: value + 10 })))).status).toBe(
      200,
    );
    expect(await stored()).toEqual([{ site_id: siteId, at: new Date(second), interval_seconds: 900, kw: 12 }]);
  });

  test("is at most a year ahead (G54)", async () => {
    expect((await send(reading({ timestamp: ahead(service, { days: 366 }) }))).status).toBe(200);
    const late = reading({ timestamp: ahead(service, { days: 366, seconds: 1 }) });
    expectError(await send(late), 400, /controllable_load\[0\]\.timestamp .* at most a year ahead/);
  });

  test("is in kW, of a site", async () => {
    expectError(await send(reading({ units: "kWh" })), 400, /controllable_load\[0\]\.units/);
    expectError(await send(reading({ site_id: undefined })), 400, /controllable_load\[0\]\.site_id/);
    expectError(await send(reading({ value: 10_000_001 })), 400, /at most 10000000 kW/);
  });

  test("is stored whole or not at all", async () => {
    expectError(
      await send(reading(), reading({ timestamp: "2026-02-30T00:00:00Z" })),
      400,
      /controllable_load\[1\]\.timestamp/,
    );
    expect(await stored()).toEqual([]);
    expect((await send()).body).toEqual({ received: 0 });
  });

  test("holds at most as many readings as the setting says (G10)", async () => {
    const readings = Array.from({ length: 101 }, (_, index) =>
      reading({ timestamp: ahead(service, { minutes: index }) }),
    );
    expect((await send(...readings.slice(0, 100))).body).toEqual({ received: 100 });
    expectError(await send(...readings), 400, /more than 100 readings/);
  });

  test("of another account's site is answered like one of no site (G4)", async () => {
    const ben = await service.newParticipant();
    const call = (site_id: string) =>
      ben.call("POST", "/telemetry/controllable-load", { controllable_load: [reading({ site_id })] });
    const foreign = await call(siteId);
    expectError(foreign, 400, /controllable_load\[0\]\.site_id names no site of this account/);
    expect(foreign.text).toBe((await call("site_0000000000000000")).text);
    expect(await stored()).toEqual([]);
  });

  test("of the same moment sent many times at once is one of them", async () => {
    const moments = Array.from({ length: 5 }, (_, minutes) => ahead(service, { minutes }));
    const order = (index: number) => (index % 2 === 0 ? moments : moments.toReversed());
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        send(...order(index).map((timestamp) => reading({ timestamp, value: index }))),
      ),
    );
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
    expect(await stored()).toHaveLength(5);
  });
});
