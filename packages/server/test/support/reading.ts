import { readTelemetry } from "@curtail/contract";
import type { AnswerOf } from "./http-client.js";
import type { Participant } from "./running.js";

/** Readings of a meter as GET /telemetry/kw returns them: `[[timestamp, kW], …]`. */
export type Points = Array<[timestamp: string, kw: number]>;

export const pointsIn = ({ body }: AnswerOf<typeof readTelemetry>, meterId: string): Points => {
  const meter = body.data.sites.flatMap((site) => site.meters).find((each) => each.meter_id === meterId);
  return (meter?.telemetry ?? []).map(({ timestamp, value }) => [timestamp, value]);
};

/** Every point of the participant's first meter in the last 24 hours and the next hour. */
export const pointsOf = async (participant: Participant, now: Date): Promise<Points> => {
  const site = participant.sites[0];
  const at = (hours: number): string => new Date(now.getTime() + hours * 3_600_000).toISOString();
  const query = { site_id: [site?.id ?? ""], start_time: at(-24), end_time: at(1) };
  return pointsIn(await participant.call(readTelemetry, { query }), site?.meters[0] ?? "");
};
