import type { AnyObject } from "@curtail/openadr-3";
import type { Ports } from "../../platform/ports.js";
import { conflict, invalid, isRefusal, notFound, type Refusal, type Result } from "../../platform/refusal.js";
import {
  type FoundObject,
  OBJECT_PREFIXES,
  type ObjectSource,
  type StoredObject,
  type StoredObjectType,
} from "../domain/stored-object.js";
import { isBusinessLogic, type Openadr3Caller } from "./caller.js";
import { boundChanges, type ClientLimits, makeRoom, refuseFurther } from "./client-volume.js";
import { type NoteRehearsal, rehearsed } from "./dispatch-acts.js";
import { drafts, type ObjectDraft, type ObjectRequests } from "./object-drafts.js";
import type { Openadr3Stores } from "./openadr-3-stores.js";
import { isReadable, noSuch, shownTo } from "./read-objects.js";
import { type ObjectStores, recordCreation, recordRemoval, recordUpdate } from "./record-object.js";
import { type ReportAnswer, type ReportPorts, takeReport } from "./take-report.js";
import { type CallbackPorts, refuseCallbacks } from "./verify-callbacks.js";

export interface ObjectWritePorts extends Ports<WritingStores> {
  readonly reports: ReportPorts;
  readonly callbacks: CallbackPorts;
  readonly noteRehearsal: NoteRehearsal;
  readonly limits: ClientLimits;
}

type WritingStores = ObjectStores & Pick<Openadr3Stores, "openadr3Acts" | "openadr3Projected" | "openadr3Volume">;

/** Typed by the request's type; a table of functions cannot be called with a union. */
const draftOf = <T extends StoredObjectType>(
  type: T,
  request: ObjectRequests[T],
  writing: { readonly caller: Openadr3Caller; readonly before: StoredObject | null },
): Result<ObjectDraft> => drafts[type](request, writing);

export const createObject = async <T extends StoredObjectType>(
  ports: ObjectWritePorts,
  caller: Openadr3Caller,
  type: T,
  request: ObjectRequests[T],
): Promise<Result<AnyObject>> => {
  const draft = draftOf(type, request, { caller, before: null });
  if (isRefusal(draft)) return draft;
  const answer = await prepared(ports, caller, draft, null);
  if (isRefusal(answer)) return answer;
  const { transact, clock, newId, limits } = ports;
  return transact(async (stores) => {
    const refusal =
      (await refuseReferences(stores, caller, draft)) ?? (await refuseFurther(stores.openadr3Volume, limits, draft));
    if (refusal !== null) return refusal;
    const at = clock.now();
    const registered = await registerVen(stores, caller, draft, at);
    if (registered !== null) {
      if (isRefusal(registered)) return registered;
      await boundChanges(stores.openadr3Volume, limits, caller, [registered]);
      return shownTo(caller, registered);
    }
    const created = await recordCreation(
      stores,
      {
        ...draft,
        id: newId(OBJECT_PREFIXES[type]),
        environment: caller.client.environment,
        source: null,
        registeredAt: null,
        createdAt: at,
        modifiedAt: at,
      },
      caller.client.id,
    );
    if (isRefusal(created)) return created;
    await makeRoom(stores.openadr3Volume, limits, draft);
    await boundChanges(stores.openadr3Volume, limits, caller, [created]);
    await keepAnswer(ports, stores, { caller, answer, reportId: created.id, at });
    return shownTo(caller, created);
  });
};

/** What takes longer than a transaction may: records the load in a report, or challenges the addresses of a subscription. */
const prepared = async (
  { reports, callbacks }: ObjectWritePorts,
  caller: Openadr3Caller,
  { objectType, body }: ObjectDraft,
  before: StoredObject | null,
): Promise<Result<ReportAnswer | null>> => {
  switch (objectType) {
    case "REPORT":
      return takeReport(reports, caller, body as ObjectRequests["REPORT"]);
    case "SUBSCRIPTION":
      return refuseCallbacks(callbacks, caller, body as ObjectRequests["SUBSCRIPTION"], before);
    default:
      return null;
  }
};

interface Answering {
  readonly caller: Openadr3Caller;
  readonly answer: ReportAnswer | null;
  readonly reportId: string;
  readonly at: Date;
}

const keepAnswer = async (
  { noteRehearsal }: ObjectWritePorts,
  { openadr3Acts }: WritingStores,
  { caller: { client }, answer, reportId, at }: Answering,
): Promise<void> => {
  if (answer === null) return;
  const state = await openadr3Acts.answer({ ...answer, clientId: client.id, reportId, at });
  if (state === null || answer.opt === null) return;
  await rehearsed(client.environment, "ven_acknowledged", [state], (acts) => noteRehearsal(acts, at));
};

/**
 * A ven that was made with its client waits for the client to register: its first POST takes it over, with the name and
 * attributes that the VEN gives. null: there is none.
 */
const registerVen = async (
  stores: ObjectStores,
  caller: Openadr3Caller,
  draft: ObjectDraft,
  at: Date,
): Promise<Result<FoundObject> | null> => {
  if (draft.objectType !== "VEN" || isBusinessLogic(caller)) return null;
  const { environment, id } = caller.client;
  const [made] = await stores.openadr3Objects.ofSource(environment, "VEN", { kind: "client", id });
  const before = made === undefined ? null : await stores.openadr3Objects.lock(environment, "VEN", made.id);
  if (before === null) return null;
  if (before.registeredAt !== null) return conflict("this client has registered its ven; update it with PUT");
  const own = drafts.VEN({ objectType: "VEN_VEN_REQUEST", ...withoutTargets(draft) }, { caller, before });
  if (isRefusal(own)) return own;
  return recordUpdate(stores, before, { ...before, ...own, registeredAt: at }, { by: id, at });
};

const withoutTargets = ({ body: { targets: _none, ...members } }: ObjectDraft) =>
  members as Omit<ObjectRequests["VEN"], "objectType" | "clientID" | "targets">;

export const updateObject = async <T extends StoredObjectType>(
  ports: ObjectWritePorts,
  caller: Openadr3Caller,
  type: T,
  { id, request }: { readonly id: string; readonly request: ObjectRequests[T] },
): Promise<Result<AnyObject>> => {
  const { stores: outside, transact, clock, limits } = ports;
  const found = await findOwn(outside, caller, type, id);
  if (isRefusal(found)) return found;
  const drafted = draftOf(type, request, { caller, before: found });
  if (isRefusal(drafted)) return drafted;
  const answer = await prepared(ports, caller, drafted, found);
  if (isRefusal(answer)) return answer;
  return transact(async (stores) => {
    const before = await lockOwn(stores, caller, type, id);
    if (isRefusal(before)) return before;
    // Again, as it may have changed meanwhile.
    const draft = draftOf(type, request, { caller, before });
    if (isRefusal(draft)) return draft;
    const refusal = refuseChange(before, draft) ?? (await refuseReferences(stores, caller, draft));
    if (refusal !== null) return refusal;
    const written = { by: caller.client.id, at: clock.now() };
    const updated = await recordUpdate(stores, before, { ...before, ...draft }, written);
    if (isRefusal(updated)) return updated;
    await makeRoom(stores.openadr3Volume, limits, draft);
    await boundChanges(stores.openadr3Volume, limits, caller, [updated]);
    await keepAnswer(ports, stores, { caller, answer, reportId: id, at: written.at });
    return shownTo(caller, updated);
  });
};

export const removeObject = (
  { transact, clock, limits }: ObjectWritePorts,
  caller: Openadr3Caller,
  type: StoredObjectType,
  id: string,
): Promise<Result<AnyObject>> =>
  transact(async (stores) => {
    const object = await lockOwn(stores, caller, type, id);
    if (isRefusal(object)) return object;
    if (object.source !== null) return conflict(`${owners[object.source.kind]}, which cannot be deleted here`);
    const removed = await recordRemoval(stores, id, { by: caller.client.id, at: clock.now() });
    await boundChanges(stores.openadr3Volume, limits, caller, removed);
    return shownTo(caller, object);
  });

const lockOwn = async (
  { openadr3Objects }: ObjectStores,
  caller: Openadr3Caller,
  type: StoredObjectType,
  id: string,
): Promise<FoundObject | Refusal> => {
  const object = await openadr3Objects.lock(caller.client.environment, type, id);
  return object !== null && (await isReadable(openadr3Objects, caller, object)) ? object : noSuch(type);
};

const findOwn = async (
  { openadr3Objects }: ObjectStores,
  caller: Openadr3Caller,
  type: StoredObjectType,
  id: string,
): Promise<FoundObject | Refusal> => {
  const object = await openadr3Objects.find(caller.client.environment, type, id);
  return object !== null && (await isReadable(openadr3Objects, caller, object)) ? object : noSuch(type);
};

const owners: Readonly<Record<ObjectSource["kind"], string>> = {
  program: "it follows a program of the service",
  dispatch: "it follows a dispatch of the service",
  client: "it belongs to a client of the service",
  site: "it follows a site of the service",
};

/** The ven of a client may be renamed and granted targets; what follows something else is changed there. */
const refuseChange = (before: StoredObject, after: ObjectDraft): Refusal | null => {
  if (before.source === null) return null;
  if (before.source.kind !== "client") return conflict(`${owners[before.source.kind]}, which cannot be changed here`);
  return before.clientId === after.clientId
    ? null
    : conflict("its clientID cannot be changed: the client has this ven");
};

/** What an object refers to has to exist, and the caller has to see it. */
const refuseReferences = async (
  { openadr3Objects }: ObjectStores,
  caller: Openadr3Caller,
  { objectType, programId, eventId, venId }: ObjectDraft,
): Promise<Refusal | null> => {
  const isKnown = async (type: StoredObjectType, id: string): Promise<boolean> => {
    const object = await openadr3Objects.lockReference(caller.client.environment, type, id);
    return object !== null && (await isReadable(openadr3Objects, caller, object));
  };
  if (programId !== null && !(await isKnown("PROGRAM", programId)))
    return invalid(`programID ${programId} is not that of a program; list the programs`);
  if (eventId !== null && !(await isKnown("EVENT", eventId)))
    return invalid(`eventID ${eventId} is not that of an event; list the events`);
  if (objectType === "RESOURCE" && venId !== null && !(await isKnown("VEN", venId))) return notFound("ven");
  return null;
};
