import { type EventRequest, endedEvent, ownEvent, transpiresAt } from "@curtail/openadr-3";
import type { Actor } from "../../access/domain/account.js";
import { changesNothing } from "../../platform/changes-nothing.js";
import { invalid, isRefusal, mapResult, notFound, type Result } from "../../platform/refusal.js";
import { formatTimestamp, wholeSecond } from "../../platform/timestamp.js";
import { type Audience, type OwnEventState, type OwnProgram, targetsOf } from "../domain/own-object.js";
import { BARE_OBJECT, type FoundObject, OBJECT_PREFIXES, type StoredObject } from "../domain/stored-object.js";
import { refuseEvent, refuseLostSafeMode } from "./check-own-event.js";
import { lockOwn, type OwnObjectPorts, type OwnObjectStores, subjectOf } from "./manage-own-programs.js";
import { refuseAudience } from "./own-audience.js";
import { type ScheduleRequest, scheduleOf } from "./own-schedule.js";
import { ownEventOf, ownProgramOf, stateOfOwn } from "./read-own-object.js";
import { recordCreation, recordRemoval, recordUpdate } from "./record-object.js";

/** An event with its program. */
export interface EventOfProgram {
  readonly event: OwnEventState;
  readonly program: OwnProgram;
}

/** The values of an event, and their times. */
export interface ToldValues {
  readonly payloadType: string;
  /** undefined: those of the program. */
  readonly units: string | undefined;
  readonly currency: string | undefined;
  readonly schedule: ScheduleRequest;
}

export interface NewOwnEvent extends ToldValues {
  readonly programId: string;
  readonly name: string | null;
  /** undefined: the lowest for a safe mode, else none. */
  readonly priority: number | undefined;
  readonly targets: Audience;
}

export const createOwnEvent = (
  { transact, clock, newId }: OwnObjectPorts,
  actor: Actor,
  wanted: NewOwnEvent,
): Promise<Result<EventOfProgram>> =>
  transact(async (stores) => {
    const found = await lockOwn(stores, "PROGRAM", wanted.programId);
    if (isRefusal(found)) return found;
    const program = ownProgramOf(found);
    const at = clock.now();
    const body = bodyOf({ ...wanted, start: at }, program);
    if (isRefusal(body)) return body;
    const refusal =
      (await refuseAudience(stores, wanted.targets)) ?? (await refuseEvent(stores, { body, program, at }));
    if (refusal !== null) return refusal;
    const object: StoredObject = {
      ...BARE_OBJECT,
      id: newId(OBJECT_PREFIXES.EVENT),
      environment: program.environment,
      objectType: "EVENT",
      createdAt: at,
      modifiedAt: at,
      ...columnsOf(body),
    };
    const created = await recordCreation(stores, object, null);
    if (isRefusal(created)) return created;
    const event = ownEventOf(created, program);
    await stores.audit.append({ actor, at }, "openadr3_event.create", subjectOf(event.id), { after: event });
    return { event, program };
  });

/** Applies together with all other events; in 32 bits, as clients keep it. */
const LOWEST_PRIORITY = 2_147_483_647;

interface Writing extends ToldValues, Pick<NewOwnEvent, "name" | "priority" | "targets"> {
  /** Where it starts, unless the schedule says. */
  readonly start: Date;
}

const bodyOf = (
  { payloadType, units, currency, schedule, start, ...wanted }: Writing,
  { id, payloads }: OwnProgram,
): Result<EventRequest> => {
  const intervals = scheduleOf(schedule, start);
  if (isRefusal(intervals)) return intervals;
  const ofProgram = payloads.find((payload) => payload.payloadType === payloadType);
  const isSafeMode = payloadType.endsWith("_CAPACITY_SUBSCRIPTION") && intervals.at(-1)?.end === null;
  return ownEvent({
    programId: id,
    name: wanted.name,
    priority: wanted.priority ?? (isSafeMode ? LOWEST_PRIORITY : null),
    targets: targetsOf(wanted.targets),
    payload: {
      payloadType,
      units: units ?? ofProgram?.units ?? null,
      currency: currency ?? ofProgram?.currency ?? null,
    },
    intervals,
  });
};

const columnsOf = (
  body: EventRequest,
): Pick<StoredObject, "programId" | "name" | "targets" | "transpiresAt" | "body"> => ({
  programId: body.programID,
  name: body.eventName ?? null,
  targets: body.targets ?? [],
  transpiresAt: transpiresAt(body),
  body,
});

export interface OwnEventChange {
  readonly name?: string | null;
  readonly priority?: number | null;
  readonly targets?: Audience;
  /** Replaces time and values; what is undefined stays. */
  readonly told?: Partial<Omit<ToldValues, "schedule">> & Pick<ToldValues, "schedule">;
}

export const changeOwnEvent = (
  ports: OwnObjectPorts,
  actor: Actor,
  id: string,
  change: OwnEventChange,
): Promise<Result<EventOfProgram>> =>
  onEvent(ports, id, async (stores, { object, program, before }, at) => {
    if (stateOfOwn(before, at) === "past") return overAlready(before);
    const body = changedBody({ object, before, program }, change, at);
    if (isRefusal(body)) return body;
    if (changesNothing(object.body, { ...noMembers(object.body), ...body })) return { event: before, program };
    const refusal =
      (change.targets === undefined ? null : await refuseAudience(stores, change.targets)) ??
      (await refuseEvent(stores, { body, program, at, before: { id, tellsTheSame: change.told === undefined } })) ??
      (await refuseLostSafeMode(stores, { program, at, without: id, by: body }));
    if (refusal !== null) return refusal;
    return saved(stores, { actor, at, action: "openadr3_event.change" }, { object, before, program, body });
  });

/** Members that a change took away count as changed. */
const noMembers = (body: object): object => Object.fromEntries(Object.keys(body).map((name) => [name, undefined]));

/** An event that is about to change. */
interface Standing {
  readonly object: FoundObject;
  readonly program: OwnProgram;
  readonly before: OwnEventState;
}

const onEvent = <T>(
  { transact, clock }: OwnObjectPorts,
  id: string,
  work: (stores: OwnObjectStores, standing: Standing, at: Date) => Promise<Result<T>>,
): Promise<Result<T>> =>
  transact(async (stores) => {
    return mapResult(lockEvent(stores, id), (standing) => work(stores, standing, clock.now()));
  });

const lockEvent = async (stores: OwnObjectStores, id: string): Promise<Result<Standing>> => {
  const found = await foundEvent(stores, id);
  if (isRefusal(found)) return found;
  const { program } = found;
  // The program first, as a creation does: the safe modes and limits of a program change one after the other.
  await stores.openadr3Objects.lock(program.environment, "PROGRAM", program.id);
  const object = await lockOwn(stores, "EVENT", id);
  if (isRefusal(object)) return object;
  const own = ownProgramOf(program);
  return { object, program: own, before: ownEventOf(object, own) };
};

const overAlready = ({ end }: OwnEventState) =>
  invalid(`the event has been over since ${end === null ? "" : formatTimestamp(end)}; create another`);

const changedBody = (
  { object, before, program }: Standing,
  { name = before.name, priority = before.priority, targets = before.targets, told }: OwnEventChange,
  now: Date,
): Result<EventRequest> => {
  const body = object.body as EventRequest;
  if (told !== undefined) {
    const [payload] = before.payloads;
    const payloadType = told.payloadType ?? payload?.payloadType ?? "";
    // Another payload has its own units.
    const kept = payloadType === payload?.payloadType ? payload : undefined;
    const units = told.units ?? kept?.units ?? undefined;
    const currency = told.currency ?? kept?.currency ?? undefined;
    const start = before.start ?? now;
    const writing = { name, targets, payloadType, units, currency, schedule: told.schedule, start };
    return bodyOf({ ...writing, priority: priority ?? undefined }, program);
  }
  const { eventName: _name, priority: _priority, targets: _targets, ...rest } = body;
  const shown = targetsOf(targets);
  return {
    ...rest,
    ...(name === null ? {} : { eventName: name }),
    ...(priority === null ? {} : { priority }),
    ...(shown.length === 0 ? {} : { targets: [...shown] }),
  };
};

interface Acting {
  readonly actor: Actor;
  readonly at: Date;
  readonly action: "openadr3_event.change" | "openadr3_event.end";
}

const saved = async (
  stores: OwnObjectStores,
  { actor, at, action }: Acting,
  { object, before, program, body }: Standing & { readonly body: EventRequest },
): Promise<Result<EventOfProgram>> => {
  const updated = await recordUpdate(stores, object, { ...object, ...columnsOf(body) }, { by: null, at });
  if (isRefusal(updated)) return updated;
  const event = ownEventOf(updated, program);
  await stores.audit.append({ actor, at }, action, subjectOf(event.id), { before, after: event });
  return { event, program };
};

/** A whole second, and not that of the start: a length of 0 would cancel the event. */
const endNow = ({ start }: OwnEventState, at: Date): Date => {
  const end = wholeSecond(at);
  return start === null || start < end ? end : new Date(wholeSecond(start).getTime() + 1000);
};

/** Ends an event now. */
export const endOwnEvent = (ports: OwnObjectPorts, actor: Actor, id: string): Promise<Result<EventOfProgram>> =>
  onEvent(ports, id, async (stores, { object, program, before }, at) => {
    const state = stateOfOwn(before, at);
    if (state === "past") return overAlready(before);
    if (state === "upcoming") return invalid("the event has not begun; delete it, or change its time");
    const body = endedEvent(object.body as EventRequest, object.createdAt, endNow(before, at));
    if (body === null) return invalid("the event does not tell when its intervals are; delete it");
    const refusal = await refuseLostSafeMode(stores, { program, at, without: id, by: null });
    if (refusal !== null) return refusal;
    return saved(stores, { actor, at, action: "openadr3_event.end" }, { object, before, program, body });
  });

export const deleteOwnEvent = (ports: OwnObjectPorts, actor: Actor, id: string): Promise<Result<OwnEventState>> =>
  onEvent(ports, id, async (stores, { program, before }, at) => {
    const refusal = await refuseLostSafeMode(stores, { program, at, without: id, by: null });
    if (refusal !== null) return refusal;
    await recordRemoval(stores, id, { by: null, at });
    await stores.audit.append({ actor, at }, "openadr3_event.delete", subjectOf(id), { before });
    return before;
  });

export const findOwnEvent = async (
  stores: Pick<OwnObjectStores, "openadr3Own">,
  id: string,
): Promise<Result<EventOfProgram>> => {
  const found = await foundEvent(stores, id);
  if (isRefusal(found)) return found;
  const program = ownProgramOf(found.program);
  return { event: ownEventOf(found.event, program), program };
};

const foundEvent = async (
  { openadr3Own }: Pick<OwnObjectStores, "openadr3Own">,
  id: string,
): Promise<Result<{ readonly event: FoundObject; readonly program: FoundObject }>> => {
  const event = await openadr3Own.find("EVENT", id);
  const programId = event?.programId ?? "";
  const program = (await openadr3Own.programs([programId])).get(programId);
  return event === null || program === undefined ? notFound("event") : { event, program };
};
