import { invalid, notFound, type Refusal } from "../../platform/refusal.js";
import type { StoredObjectType } from "../domain/stored-object.js";
import type { Openadr3Caller } from "./caller.js";
import type { ObjectDraft } from "./object-drafts.js";
import { isReadable } from "./read-objects.js";
import type { ObjectStores } from "./record-object.js";

/** The objects that an object refers to have to exist, and the caller has to see them. */
export const refuseReferences = async (
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
