import type { AnyObject } from "@curtail/openadr-3";
import type { WrittenJson } from "../../platform/long-json.js";
import type { Ports } from "../../platform/ports.js";
import { conflict, denied, isRefusal, type Refusal, type Result } from "../../platform/refusal.js";
import {
  type FoundObject,
  OBJECT_PREFIXES,
  type ObjectSource,
  type StoredObject,
  type StoredObjectType,
} from "../domain/stored-object.js";
import type { Openadr3Caller } from "./caller.js";
import { boundChanges, makeRoom, refuseFurther } from "./client-volume.js";
import { comesOften, createOften, type OftenPorts } from "./create-often.js";
import { keepAnswer } from "./dispatch-acts.js";
import { drafts, type ObjectDraft, type ObjectRequests, type Writing } from "./object-drafts.js";
import type { Openadr3Stores } from "./openadr-3-stores.js";
import { isReadable, noSuch, shownTo } from "./read-objects.js";
import { type ObjectStores, recordCreation, recordRemoval, recordUpdate } from "./record-object.js";
import { refuseReferences } from "./refuse-references.js";
import { registerVen } from "./register-ven.js";
import { moveResources, ownerOfResource, withOwnVen } from "./resource-owner.js";
import { type ReportAnswer, type TakeReportPorts, takeReport } from "./take-report.js";
import { type CallbackPorts, refuseCallbacks } from "./verify-callbacks.js";

export interface ObjectWritePorts extends Ports<WritingStores>, Omit<OftenPorts, keyof Ports<WritingStores>> {
  readonly reports: TakeReportPorts;
  readonly callbacks: CallbackPorts;
}

type WritingStores = ObjectStores &
  Pick<Openadr3Stores, "openadr3Acts" | "openadr3Creations" | "openadr3Projected" | "openadr3Volume">;

/** Typed by the request's type; a table of functions cannot be called with a union. */
const draftOf = <T extends StoredObjectType>(
  type: T,
  request: ObjectRequests[T],
  writing: Writing,
): Result<ObjectDraft> => drafts[type](request, writing);

export const createObject = async <T extends StoredObjectType>(
  ports: ObjectWritePorts,
  caller: Openadr3Caller,
  type: T,
  request: ObjectRequests[T],
): Promise<Result<AnyObject | WrittenJson>> => {
  const whole = await withOwnVen(ports.stores, caller, type, request);
  const draft = draftOf(type, whole, { caller, before: null });
  if (isRefusal(draft)) return draft;
  const answer = await prepared(ports, caller, draft, null);
  if (isRefusal(answer)) return answer;
  if (comesOften(draft)) return createOften(ports, caller, draft, answer);
  const { transact, clock, newId, limits } = ports;
  return transact(async (stores) => {
    const owner = await ownerOfResource(stores, caller.client.environment, draft);
    const owned = owner === null ? draft : { ...draft, clientId: owner };
    const refusal =
      (await refuseReferences(stores, caller, owned)) ?? (await refuseFurther(stores.openadr3Volume, limits, owned));
    if (refusal !== null) return refusal;
    const at = clock.now();
    const registered = await registerVen(stores, caller, owned, at);
    if (registered !== null) {
      if (isRefusal(registered)) return registered;
      await boundChanges(stores.openadr3Volume, limits, caller, { objects: [registered], at });
      return shownTo(caller, registered);
    }
    const created = await recordCreation(
      stores,
      {
        ...owned,
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
    await boundChanges(stores.openadr3Volume, limits, caller, { objects: [created], at });
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

export const updateObject = async <T extends StoredObjectType>(
  ports: ObjectWritePorts,
  caller: Openadr3Caller,
  type: T,
  { id, request }: { readonly id: string; readonly request: ObjectRequests[T] },
): Promise<Result<AnyObject>> => {
  const { stores: outside, transact, clock, limits } = ports;
  const found = await ownOf(outside, "find", caller, type, id);
  if (isRefusal(found)) return found;
  const drafted = draftOf(type, request, { caller, before: found });
  if (isRefusal(drafted)) return drafted;
  const answer = await prepared(ports, caller, drafted, found);
  if (isRefusal(answer)) return answer;
  return transact(async (stores) => {
    const owner = await ownerOfResource(stores, caller.client.environment, drafted);
    const before = await ownOf(stores, "lock", caller, type, id);
    if (isRefusal(before)) return before;
    // Again, as it may have changed meanwhile.
    const redrafted = draftOf(type, request, { caller, before });
    if (isRefusal(redrafted)) return redrafted;
    const draft = owner === null ? redrafted : { ...redrafted, clientId: owner };
    const refusal = refuseChange(before, draft) ?? (await refuseReferences(stores, caller, draft));
    if (refusal !== null) return refusal;
    const written = { by: caller.client.id, at: clock.now() };
    const updated = await recordUpdate(stores, before, { ...before, ...draft }, written);
    if (isRefusal(updated)) return updated;
    const moved = await moveResources(stores, { before, after: updated }, written);
    if (isRefusal(moved)) return moved;
    await makeRoom(stores.openadr3Volume, limits, draft);
    await boundChanges(stores.openadr3Volume, limits, caller, { objects: [updated, ...moved], at: written.at });
    if (answer !== null)
      await keepAnswer(ports, stores.openadr3Acts, { client: caller.client, answer, reportId: id, at: written.at });
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
    const object = await ownOf(stores, "lock", caller, type, id);
    if (isRefusal(object)) return object;
    // The specification declares no 409 for DELETE.
    if (object.source !== null) return denied(`${owners[object.source.kind]}, which cannot be deleted here`);
    const at = clock.now();
    const objects = await recordRemoval(stores, id, { by: caller.client.id, at });
    await boundChanges(stores.openadr3Volume, limits, caller, { objects, at });
    return shownTo(caller, object);
  });

/** An object that the caller may change, found or locked. */
const ownOf = async (
  { openadr3Objects }: ObjectStores,
  how: "find" | "lock",
  caller: Openadr3Caller,
  type: StoredObjectType,
  id: string,
): Promise<FoundObject | Refusal> => {
  const object = await openadr3Objects[how](caller.client.environment, type, id);
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
  // The request for telemetry follows its client, too.
  if (before.source.kind !== "client" || before.objectType !== "VEN")
    return conflict(`${owners[before.source.kind]}, which cannot be changed here`);
  return before.clientId === after.clientId
    ? null
    : conflict("its clientID cannot be changed: the client has this ven");
};
