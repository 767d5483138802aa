import { createParticipant, readTelemetry } from "@curtail/client";
import { FILE_READINGS, OUTAGE_MS, type Outage, type UploadedFile } from "./outage.js";
import { UNKNOWN_METER } from "./outage-config.js";
import { isRefused, readingAt } from "./spool-readings.mjs";

/** Readings that the service should have, compared with those that it has. */
export interface Compared {
  readonly expected: number;
  /** `METER END_MS` of those that it does not have with their value. */
  readonly lost: readonly string[];
  /** Those of its readings that it has more than once. */
  readonly doubled: readonly string[];
}

/** The readings that the agent had on disk. */
export const comparedAgent = async (outage: Outage): Promise<Compared> => {
  const { agent, agentFromMs } = outage;
  const promised = [...agent.promised].filter(([place]) => !place.startsWith(UNKNOWN_METER));
  return compared(new Map(promised), await found(outage, agentFromMs, agent.reachedMs));
};

const numbers = Array.from({ length: FILE_READINGS }, (_, number) => number);

/** The readings of a file that the service does not refuse. */
export const comparedFile = async (outage: Outage, file: UploadedFile): Promise<Compared> => {
  const expected = numbers.flatMap((number): Array<[string, number]> => {
    const { meter_id, timestamp, kW } = readingAt(number, file);
    return isRefused(number) ? [] : [[`${meter_id} ${Date.parse(timestamp)}`, kW]];
  });
  return compared(new Map(expected), await found(outage, file.startMs, file.startMs + OUTAGE_MS));
};

/** Power of the readings of a file that the service refuses, in its order. */
export const REFUSED_KW = numbers.filter(isRefused).map((number) => readingAt(number, { meters: [""], startMs: 0 }).kW);

type Found = ReadonlyMap<string, readonly number[]>;

const compared = (expected: ReadonlyMap<string, number>, values: Found): Compared => ({
  expected: expected.size,
  lost: [...expected].filter(([place, kW]) => values.get(place)?.[0] !== kW).map(([place]) => place),
  doubled: [...values].filter(([, { length }]) => length > 1).map(([place]) => place),
});

/** Every value that the service answers for an interval, by `METER END_MS`. */
const found = async ({ service, participant }: Outage, startMs: number, endMs: number): Promise<Found> => {
  const values = new Map<string, number[]>();
  const siteIds = participant.sites.map(({ id }) => id);
  const period = { siteIds, start: new Date(startMs), end: new Date(endMs), intervalSeconds: 60 } as const;
  const access = createParticipant({ url: service.url, key: participant.key });
  for await (const { meter_id, readings } of readTelemetry(access, period))
    for (const { timestamp, value } of readings) {
      const place = `${meter_id} ${Date.parse(timestamp)}`;
      values.set(place, [...(values.get(place) ?? []), value]);
    }
  return values;
};
