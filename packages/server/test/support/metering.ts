import { type QueryOf, readTelemetry, type TelemetryReading, uploadTelemetry } from "@curtail/contract";
import type { AnswerOf } from "./http-client.js";
import type { Participant } from "./running.js";

/** A point in an answer, without the members that are always the same. */
export type Point = readonly [timestamp: string, kw: number];

type Query = QueryOf<typeof readTelemetry>;
export type Asked = Omit<Query, "site_id" | "interval_seconds"> & { readonly interval_seconds?: number };

/** GET /telemetry/kw of the sites; offsets are encoded. */
export const read = (participant: Participant, siteIds: readonly string[], asked: Asked) =>
  participant.call(readTelemetry, { query: { site_id: [...siteIds], ...asked } as Query });

/** The points of one meter in an answer of GET /telemetry/kw. */
export const pointsOf = ({ body }: AnswerOf<typeof readTelemetry>, meterId: string): Point[] => {
  const meter = body.data.sites.flatMap(({ meters }) => meters).find((each) => each.meter_id === meterId);
  return (meter?.telemetry ?? []).map(({ timestamp, value }): Point => [timestamp, value]);
};

/** A shape-A reading of one meter. */
export const kwReading = (meter_id: string, timestamp: string, kW: number, interval_seconds = 30) => ({
  interval_seconds,
  meter_id,
  timestamp,
  kW,
});

export const upload = (participant: Participant, telemetry: readonly TelemetryReading[]) =>
  participant.call(uploadTelemetry, { body: { telemetry: [...telemetry] } });

/** Readings without a gap: the first ends at `from`, each lasts `seconds`. */
export const series = (meterId: string, from: string, count: number, seconds = 300): TelemetryReading[] =>
  Array.from({ length: count }, (_, index) =>
    kwReading(meterId, new Date(Date.parse(from) + index * seconds * 1000).toISOString(), index % 97, seconds),
  );

/** The first site of a participant and its first meter. */
export const firstOf = ({ sites }: Participant): { siteId: string; meterId: string } => ({
  siteId: sites[0]?.id ?? "",
  meterId: sites[0]?.meters[0] ?? "",
});
