import type { operator } from "@curtail/contract";
import { momentToWire } from "../../platform/http/timestamps.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { Audience, OwnInterval, OwnProgram, PayloadReading } from "../domain/own-object.js";
import type { EventOfProgram } from "../operations/manage-own-events.js";
import { stateOfOwn } from "../operations/read-own-object.js";

const distinct = (list: readonly string[] = []): readonly string[] => [...new Set(list)];

/** Lists that a request leaves out reach nobody more. */
export const audienceFrom = (
  given: {
    readonly [K in keyof Audience]?: Audience[K] | undefined;
  } = {},
): Audience => ({
  accounts: distinct(given.accounts),
  sites: distinct(given.sites),
  names: distinct(given.names),
});

const audienceToWire = ({ accounts, sites, names }: Audience) => ({
  accounts: [...accounts],
  sites: [...sites],
  names: [...names],
});

const payloadToWire = ({ payloadType, units, currency }: PayloadReading) => ({
  payload_type: payloadType,
  units,
  currency,
});

export const ownProgramToWire = (program: OwnProgram, eventCount: number): operator.Openadr3Program => ({
  id: program.id,
  environment: program.environment,
  name: program.name,
  payloads: program.payloads.map(payloadToWire),
  public: program.isPublic,
  targets: audienceToWire(program.targets),
  event_count: eventCount,
  created_at: formatTimestamp(program.createdAt),
  modified_at: formatTimestamp(program.modifiedAt),
});

export const ownEventSummaryToWire = (
  { event, program }: EventOfProgram,
  now: Date,
): operator.Openadr3EventSummary => ({
  id: event.id,
  program_id: event.programId,
  program_name: program.name,
  environment: event.environment,
  name: event.name,
  state: stateOfOwn(event, now),
  payloads: event.payloads.map(payloadToWire),
  start_time: momentToWire(event.start),
  end_time: momentToWire(event.end),
  priority: event.priority,
  targets: audienceToWire(event.targets),
  interval_count: event.intervals.length,
  created_at: formatTimestamp(event.createdAt),
  modified_at: formatTimestamp(event.modifiedAt),
});

export const ownEventToWire = (found: EventOfProgram, now: Date): operator.Openadr3Event => ({
  ...ownEventSummaryToWire(found, now),
  intervals: found.event.intervals.map(intervalToWire),
});

const intervalToWire = ({ start, end, payloads }: OwnInterval) => ({
  start_time: momentToWire(start),
  end_time: momentToWire(end),
  payloads: payloads.map(({ type, values }) => ({ payload_type: type, values: [...values] })),
});
