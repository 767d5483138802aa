import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../support/expect-error.js";
import { firstOf } from "../support/metering.js";
import { type Participant, type Running, running } from "../support/running.js";
import { inMinutes, LAKESIDE, LAKESIDE_METER, newPlayer, type Player } from "../support/scenario.js";
import { everythingStored } from "../support/stored.js";

let service: Running;
let player: Player;
/** The same account in production. */
let own: Participant;
let stranger: Participant;

beforeAll(async () => {
  service = await running();
  player = await newPlayer(service);
  own = await service.newParticipant();
  stranger = await service.newParticipant();
});

const reading = (more: object) => ({ interval_seconds: 60, timestamp: inMinutes(service, 0), kW: 5, ...more });
const load = (site_id: string) => ({
  interval_seconds: 300,
  timestamp: inMinutes(service, 0),
  site_id,
  units: "kW",
  value: 3,
});
const warning = (place: string, kind: string, id: string): string =>
  `${place}.${kind}_id is "${id}", which is no ${kind} of the sandbox or of this account; production would refuse the upload`;

describe("an upload to the sandbox (G67)", () => {
  test("accepts ids that nobody has, names them, and stores nothing but what a report of the next minutes may use", async () => {
    const before = await everythingStored(service);
    const telemetry = [
      reading({ meter_id: LAKESIDE_METER }),
      reading({ meter_id: "m-7" }),
      reading({ site_id: "s-1" }),
    ];
    for (const call of [service.publicCall, player.call]) {
      expect((await call("POST", "/telemetry", { telemetry })).body).toEqual({
        received: 3,
        warnings: [warning("telemetry[1]", "meter", "m-7"), warning("telemetry[2]", "site", "s-1")],
      });
      const body = { controllable_load: [load(LAKESIDE), load("s-1"), load("s-1")] };
      expect((await call("POST", "/telemetry/controllable-load", body)).body).toEqual({
        received: 3,
        warnings: [warning("controllable_load[1]", "site", "s-1")],
      });
    }
    expect(await everythingStored(service)).toEqual({ ...before, "sandbox.readings": 1 });
  });

  test("has no warnings if the sandbox has every id", async () => {
    const { body } = await player.call("POST", "/telemetry", { telemetry: [reading({ meter_id: LAKESIDE_METER })] });
    expect(body).toEqual({ received: 1 });
  });

  test("names 20 ids at most, each shortened", async () => {
    const telemetry = Array.from({ length: 50 }, (_, index) => reading({ meter_id: `${index}${"x".repeat(300)}` }));
    const { body, text } = await player.call("POST", "/telemetry", { telemetry });
    expect(body.received).toBe(50);
    expect(body.warnings).toHaveLength(20);
    expect(text.length).toBeLessThan(5000);
  });

  test("knows the account's own meters and sites of production, and nobody else's", async () => {
    const call = await service.sandboxCall(own);
    const [site] = own.sites;
    const known = [reading({ meter_id: site?.meters[0] }), reading({ site_id: site?.id })];
    expect((await call("POST", "/telemetry", { telemetry: known })).body).toEqual({ received: 2 });
    const loads = { controllable_load: [load(site?.id ?? "")] };
    expect((await call("POST", "/telemetry/controllable-load", loads)).body).toEqual({ received: 1 });
    const foreign = stranger.sites[0]?.meters[0] ?? "";
    expect((await call("POST", "/telemetry", { telemetry: [reading({ meter_id: foreign })] })).body).toEqual({
      received: 1,
      warnings: [warning("telemetry[0]", "meter", foreign)],
    });
  });

  test("is refused for what is wrong in its form, whatever ids it names", async () => {
    for (const wrong of [
      { interval_seconds: 45 },
      { timestamp: "now" },
      { kW: "1" },
      { units: "MW", value: 1, kW: undefined },
    ])
      expectError(
        await player.call("POST", "/telemetry", { telemetry: [reading({ meter_id: "m-7", ...wrong })] }),
        400,
        /telemetry\[0\]/,
      );
  });

  test("names kWh of own batteries, which production keeps as their state of charge", async () => {
    const own = await service.newParticipant();
    const id = firstOf(own).meterId;
    const sandbox = await service.sandboxCall(own);
    const kWh = { interval_seconds: 60, timestamp: inMinutes(service, 0), value: 500, units: "kWh" };
    const telemetry = [reading({ meter_id: id }), { ...kWh, meter_id: id }, { ...kWh, meter_id: LAKESIDE_METER }];
    expect((await sandbox("POST", "/telemetry", { telemetry })).body).toEqual({ received: 3 });
    await service.made(operator.changeMeter, { params: { id }, body: { asset_type: "battery" } });
    const large = { ...kWh, site_id: firstOf(own).siteId, value: 9_000_000, interval_seconds: 30 };
    expect((await sandbox("POST", "/telemetry", { telemetry: [...telemetry, large] })).body).toEqual({
      received: 4,
      warnings: [
        `telemetry[1] is in kWh, and meter "${id}" is a battery: production keeps its kWh as state of charge, not as energy; send its power in kW`,
        `telemetry[3] is in kWh, and site "${large.site_id}" is that of a battery: production keeps its kWh as state of charge, not as energy; send its power in kW`,
      ],
    });
    expectError(
      await service.publicCall("POST", "/telemetry", { telemetry: [large] }),
      400,
      /telemetry\[0\]\.value is/,
    );
  });
});
