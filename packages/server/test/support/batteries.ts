import { operator } from "@curtail/contract";
import { pointsOf, read } from "./metering.js";
import { type Participant, type Running, running } from "./running.js";

// G59: kWh of a battery are its state of charge.
export let service: Running;
export let anna: Participant;
export let siteId: string;

export const useSite = (id: string): void => {
  siteId = id;
};
export let battery: string;
export let load: string;

export const prepare = async () => {
  service = await running();
  service.clock.set(new Date("2026-07-01T20:00:00Z"));
};

export const prepareEach = async () => {
  anna = await service.newParticipant({ sites: [["load"]] });
  siteId = anna.sites[0]?.id ?? "";
  load = anna.sites[0]?.meters[0] ?? "";
  const body = { name: "battery", asset_type: "battery" as const };
  battery = (await service.made(operator.createMeter, { params: { id: siteId }, body })).id;
};

export const HOUR = { start_time: "2026-07-01T18:00:00Z", end_time: "2026-07-01T19:00:00Z" };
export const stamp = (cell: number) =>
  new Date(Date.parse(HOUR.start_time) + cell * 30_000).toISOString().replace(".000Z", "Z");
export const kW = (meter_id: string, cell: number, kW: number, interval_seconds = 30) => ({
  meter_id,
  interval_seconds,
  timestamp: stamp(cell),
  kW,
});
export const kWh = (meter_id: string, cell: number, value: number, interval_seconds = 30) => ({
  meter_id,
  interval_seconds,
  timestamp: stamp(cell),
  value,
  units: "kWh" as const,
});
export const decide = (meterId: string, kwh_means: "energy" | "charge") =>
  service.made(operator.changeMeter, { params: { id: meterId }, body: { kwh_means } });

/** By cell: what GET /telemetry/kw answers, and the states of charge. */
export const powerOf = async (meterId: string) =>
  Object.fromEntries(pointsOf(await read(anna, [siteId], HOUR), meterId).map(([at, kw]) => [at, kw]));
export const energyOf = (points = 120) =>
  service.made(operator.getAnySiteEnergy, { params: { id: siteId }, query: { ...HOUR, points } });
export const chargeIn = ({ charge_kwh }: Pick<operator.MeterEnergy, "charge_kwh">): Record<string, number> =>
  Object.fromEntries((charge_kwh ?? []).flatMap((kwh, index) => (kwh === null ? [] : [[stamp(index + 1), kwh]])));
export const chargeOf = async (meterId: string) => {
  const { meters } = await energyOf();
  return chargeIn(meters.find(({ meter_id }) => meter_id === meterId) ?? { charge_kwh: null });
};
