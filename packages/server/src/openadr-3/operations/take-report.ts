import {
  answerOf,
  type EventRequest,
  eventIntervals,
  type OperatingAnswer,
  type ReportReading,
  type ReportRequest,
  readingsOfReport,
} from "@curtail/openadr-3";
import type { Environment } from "../../access/domain/api-key.js";
import type { Caller } from "../../access/operations/caller.js";
import type { Clock } from "../../platform/clock.js";
import { Offences } from "../../platform/offences.js";
import { invalid, isRefusal, type Refusal, type Result } from "../../platform/refusal.js";
import { powerOfEnergy, ReadingColumns, type ReadingSource, type Readings } from "../../telemetry/domain/reading.js";
import type { UploadService } from "../../telemetry/operations/telemetry-service.js";
import type { FoundObject, StoredObject } from "../domain/stored-object.js";
import type { Openadr3Caller } from "./caller.js";
import type { GivenAnswer } from "./dispatch-acts.js";
import type { Openadr3Stores } from "./openadr-3-stores.js";
import { isReadable } from "./read-objects.js";
import type { VenSight } from "./ven-sight.js";
import { metersOf } from "./wanted-objects.js";

/** Where the load in reports goes, by environment. */
export type ReportUploads = Readonly<Record<Environment, Pick<UploadService, "recordTelemetry">>>;

export interface TakeReportPorts {
  readonly stores: Pick<Openadr3Stores, "openadr3Objects" | "openadr3Projected">;
  /** What a VEN sees; null: not in memory. */
  readonly sightOf: (caller: Openadr3Caller) => Promise<ReportSight | null>;
  readonly clock: Clock;
  readonly uploads: ReportUploads;
}

type ReportSight = Pick<VenSight, "find" | "resources">;

/** What a report answers to the dispatch of its event, to be kept in the transaction that stores the report. */
export type ReportAnswer = OperatingAnswer & Pick<GivenAnswer, "eventId">;

/**
 * Records the load in a report, all of it or none. Sent again, it changes nothing, so that a report that could not be
 * stored afterwards is sent again without harm.
 */
export const takeReport = async (
  ports: TakeReportPorts,
  caller: Openadr3Caller,
  request: ReportRequest,
): Promise<Result<ReportAnswer | null>> => {
  const sight = await ports.sightOf(caller);
  const event = await eventOf(ports, caller, { id: request.eventID, sight });
  if (event === null) return unknownEvent(request.eventID);
  // Readings answer what we ask for (G76); what answers others is content, which nobody here judges.
  const refusal = event.source === null ? null : await recordLoad(ports, caller, { request, event, sight });
  if (refusal !== null) return refusal;
  const answer = event.source?.kind === "dispatch" ? answerOf(request) : null;
  return answer === null ? null : { ...answer, eventId: event.id };
};

export const unknownEvent = (id: string | null): Refusal =>
  invalid(`eventID ${id} is not that of an event; list the events`);

const eventOf = async (
  { stores: { openadr3Objects } }: TakeReportPorts,
  caller: Openadr3Caller,
  { id, sight }: { readonly id: string; readonly sight: ReportSight | null },
): Promise<FoundObject | null> => {
  if (sight !== null) return sight.find("EVENT", id);
  const event = await openadr3Objects.find(caller.client.environment, "EVENT", id);
  return event !== null && (await isReadable(openadr3Objects, caller, event)) ? event : null;
};

interface AnsweredEvent {
  readonly request: ReportRequest;
  readonly event: FoundObject;
  readonly sight: ReportSight | null;
}

const recordLoad = async (
  ports: TakeReportPorts,
  caller: Openadr3Caller,
  { request, event, sight }: AnsweredEvent,
): Promise<Refusal | null> => {
  const { clock, uploads } = ports;
  const named = namedIn(sight === null ? await resourcesOf(ports, caller) : sight.resources);
  const body = event.body as EventRequest;
  const { readings, faults } = readingsOfReport(request, {
    resourceNames: new Set(named.sources.keys()),
    metersOfSites: named.metersOfSites,
    eventIntervals: eventIntervals(body, event.createdAt),
    reportDescriptors: body.reportDescriptors ?? [],
    now: clock.now(),
  });
  if (faults.length > 0) return refusalOf(faults);
  if (readings.length === 0) return null;
  const uploader = uploaderOf(caller);
  const { environment } = caller.client;
  const recorded = await uploads[environment].recordTelemetry(uploader, columnsOf(readings, named.sources));
  return isRefusal(recorded) ? recorded : null;
};

/** What the reports of a VEN may name. */
interface Named {
  readonly sources: ReadonlyMap<string, Omit<ReadingSource, "at">>;
  readonly metersOfSites: ReadonlyMap<string, readonly string[]>;
}

const resourcesOf = async (
  { stores: { openadr3Objects, openadr3Projected } }: TakeReportPorts,
  { client: { environment, id } }: Openadr3Caller,
): Promise<readonly StoredObject[]> => {
  const { venId } = await openadr3Objects.grantsOf(environment, id);
  return venId === null ? [] : openadr3Projected.resourcesOf([venId]);
};

const namedIn = (resources: readonly StoredObject[]): Named => {
  const sources = new Map<string, Omit<ReadingSource, "at">>();
  const metersOfSites = new Map<string, readonly string[]>();
  for (const resource of resources) {
    const { name, source } = resource;
    if (name === null || source === null) continue;
    const meters = metersOf(resource);
    if (meters.size === 0) sources.set(name, { kind: "site", id: source.id });
    else metersOfSites.set(name, [...meters.keys()]);
    for (const [meterName, id] of meters) {
      sources.set(meterName, { kind: "meter", id });
      sources.set(id, { kind: "meter", id });
    }
  }
  return { sources, metersOfSites };
};

const refusalOf = (faults: readonly string[]): Refusal | null => {
  const offences = new Offences();
  for (const fault of faults) offences.add(() => fault);
  return offences.refusal();
};

const columnsOf = (readings: readonly ReportReading[], sources: Named["sources"]): Readings => {
  const columns = new ReadingColumns(readings.length);
  for (const { resourceName, endMs, intervalSeconds, powerKw, energyKwh } of readings) {
    const { kind, id } = sources.get(resourceName) ?? { kind: "site", id: "" };
    const source = columns.sourceOf(kind, id);
    if (energyKwh === null) columns.add(endMs, intervalSeconds, powerKw, source);
    else columns.add(endMs, intervalSeconds, powerOfEnergy(energyKwh, intervalSeconds), source, energyKwh);
  }
  return { ...columns.filled(), placeOf: (index) => readings[index]?.place ?? "" };
};

const uploaderOf = ({ client: { id, accountId, environment } }: Openadr3Caller): Caller => ({
  accountId: accountId ?? "",
  actor: `ven:${id}`,
  environment,
  sees: "own sites",
});
