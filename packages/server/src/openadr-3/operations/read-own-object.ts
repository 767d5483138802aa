import { type EventRequest, eventIntervals, type ProgramRequest } from "@curtail/openadr-3";
import {
  audienceOf,
  type OwnEventState,
  type OwnInterval,
  type OwnProgram,
  type PayloadReading,
} from "../domain/own-object.js";
import type { StoredObject } from "../domain/stored-object.js";

/** What an operator or a client wrote, as the operator sees it. */
export const ownProgramOf = (object: StoredObject): OwnProgram => {
  const { payloadDescriptors } = object.body as ProgramRequest;
  return {
    id: object.id,
    environment: object.environment,
    name: object.name ?? "",
    payloads: payloadsOf(payloadDescriptors),
    isPublic: object.targets.length === 0,
    targets: audienceOf(object.targets.filter((target) => target !== object.id)),
    createdAt: object.createdAt,
    modifiedAt: object.modifiedAt,
  };
};

const payloadsOf = (descriptors: ProgramRequest["payloadDescriptors"] = []): PayloadReading[] =>
  descriptors.flatMap((descriptor) =>
    descriptor.objectType === "EVENT_PAYLOAD_DESCRIPTOR"
      ? [
          {
            payloadType: descriptor.payloadType,
            units: descriptor.units ?? null,
            currency: descriptor.currency ?? null,
          },
        ]
      : [],
  );

/** An event; the payloads of its program apply where it does not say how to read its values. */
export const ownEventOf = (
  object: Pick<StoredObject, "id" | "environment" | "programId" | "name" | "targets" | "transpiresAt" | "body"> &
    Pick<StoredObject, "createdAt" | "modifiedAt">,
  program: Pick<OwnProgram, "payloads">,
): OwnEventState => {
  const body = object.body as EventRequest;
  const intervals = intervalsOf(body, object.createdAt);
  const starts = intervals.flatMap(({ start }) => (start === null ? [] : [start.getTime()]));
  return {
    id: object.id,
    environment: object.environment,
    programId: object.programId ?? "",
    name: object.name,
    payloads: toldPayloads(body, program.payloads),
    start: starts.length === 0 ? null : new Date(Math.min(...starts)),
    end: object.transpiresAt,
    priority: body.priority ?? null,
    targets: audienceOf(object.targets),
    intervals,
    createdAt: object.createdAt,
    modifiedAt: object.modifiedAt,
  };
};

const intervalsOf = (body: EventRequest, createdAt: Date): OwnInterval[] => {
  const times = eventIntervals(body, createdAt);
  return (body.intervals ?? []).map(({ id, payloads }) => {
    const time = times.get(id);
    const lengthMs = time?.lengthMs ?? null;
    return {
      start: time === undefined ? null : new Date(time.startMs),
      end: time === undefined || lengthMs === null ? null : new Date(time.startMs + lengthMs),
      payloads,
    };
  });
};

const toldPayloads = (body: EventRequest, ofProgram: readonly PayloadReading[]): PayloadReading[] => {
  const own = payloadsOf(body.payloadDescriptors);
  const types = new Set((body.intervals ?? []).flatMap(({ payloads }) => payloads.map(({ type }) => type)));
  return [...types].map((payloadType) => {
    const isOf = (payload: PayloadReading): boolean => payload.payloadType === payloadType;
    return own.find(isOf) ?? ofProgram.find(isOf) ?? { payloadType, units: null, currency: null };
  });
};

/** Whether an event is to begin, in force, or over. */
export const stateOfOwn = ({ start, end }: Pick<OwnEventState, "start" | "end">, now: Date) => {
  if (end !== null && end <= now) return "past";
  return start !== null && start > now ? "upcoming" : "active";
};
