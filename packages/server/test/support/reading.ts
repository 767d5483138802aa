import type { Answer } from "./http-client.js";
import type { Participant } from "./running.js";

/** Readings of a meter as GET /telemetry/kw returns them: `[[timestamp, kW], …]`. */
export type Points = Array<[timestamp: string, kw: number]>;

interface WirePoint {
  readonly timestamp: string;
  readonly value: number;
}

export const pointsIn = (answer: Answer, meterId: string): Points => {
  const sites = answer.body.data.sites as Array<{ meters: Array<{ meter_id: string; telemetry: WirePoint[] }> }>;
  const meter = sites.flatMap((site) => site.meters).find((each) => each.meter_id === meterId);
  return (meter?.telemetry ?? []).map(({ timestamp, value }) => [timestamp, value]);
};

/** Every point of the participant's first meter in the last 24 hours and the next hour. */
export const pointsOf = async (participant: Participant, now: Date): Promise<Points> => {
  const site = participant.sites[0];
  const [start, end] = [-24, 1].map((hours) => new Date(now.getTime() + hours * 3_600_000).toISOString());
  const path = `/telemetry/kw?site_id=${site?.id}&start_time=${start}&end_time=${end}`;
  return pointsIn(await participant.call("GET", path), site?.meters[0] ?? "");
};
