import { conflict, type Result } from "../../platform/refusal.js";
import type { FoundObject, ObjectChange, StoredObject } from "../domain/stored-object.js";
import type { ObjectStore } from "./object-ports.js";
import type { Openadr3Stores } from "./openadr-3-stores.js";
import { renderObject } from "./render-object.js";

/** Objects and the outbox of their changes, inside one transaction. */
export type ObjectStores = Pick<Openadr3Stores, "openadr3Objects" | "openadr3Changes">;

/** Who wrote an object, and when. */
export interface Written {
  /** A client; null: the object follows its source. */
  readonly by: string | null;
  readonly at: Date;
}

export const changeOf = (
  operation: ObjectChange["operation"],
  object: FoundObject,
  { by, at }: Written,
): ObjectChange => ({
  operation,
  object,
  told: renderObject(object),
  writtenBy: by,
  at,
});

const TAKEN: Readonly<Partial<Record<StoredObject["objectType"], string>>> = {
  PROGRAM: "another program has this programName; choose another, or update that program",
  VEN: "another ven has this venName or clientID; choose others, or update that ven",
  RESOURCE: "another resource of this ven has this resourceName; choose another, or update that resource",
};

const taken = ({ objectType }: StoredObject) => conflict(TAKEN[objectType] ?? "the object exists already");

/** Creates an object, and notifies subscribers. */
export const recordCreation = async (
  { openadr3Objects, openadr3Changes }: ObjectStores,
  object: StoredObject,
  by: Written["by"],
): Promise<Result<FoundObject>> => {
  if (!(await openadr3Objects.insert(object))) return taken(object);
  const found = await reread({ openadr3Objects }, object);
  await openadr3Changes.append([changeOf("CREATE", found, { by, at: object.createdAt })]);
  return found;
};

/** Replaces an object that the transaction has locked, and notifies subscribers, also those that no longer see it. */
export const recordUpdate = async (
  { openadr3Objects, openadr3Changes }: ObjectStores,
  before: FoundObject,
  after: StoredObject,
  written: Written,
): Promise<Result<FoundObject>> => {
  const object = { ...after, modifiedAt: later(before.modifiedAt, written.at) };
  if (!(await openadr3Objects.save(object))) return taken(object);
  const found = await reread({ openadr3Objects }, object);
  const lost = await lostObjects(openadr3Objects, before, found, written);
  const movedFrom = before.venId === found.venId ? undefined : (before.venId ?? undefined);
  await openadr3Changes.append([...lost, { ...changeOf("UPDATE", found, written), movedFrom }]);
  return found;
};

/** Deletes an object with all that refers to it, and notifies subscribers of each. Returns them all. */
export const recordRemoval = async (
  { openadr3Objects, openadr3Changes }: ObjectStores,
  id: string,
  written: Written,
): Promise<readonly FoundObject[]> => {
  const removed = await openadr3Objects.remove([id]);
  await openadr3Changes.append(removed.map((object) => changeOf("DELETE", object, written)));
  return removed;
};

/** A change is always later than the one before, also within a millisecond or after the clock was set back. */
export const later = (before: Date, now: Date): Date => new Date(Math.max(now.getTime(), before.getTime() + 1));

const reread = async (
  { openadr3Objects }: Pick<ObjectStores, "openadr3Objects">,
  { environment, objectType, id }: StoredObject,
): Promise<FoundObject> => {
  const found = await openadr3Objects.find(environment, objectType, id);
  if (found === null) throw new Error(`the object ${id} is gone within its transaction`);
  return found;
};

/**
 * What some VENs no longer see after a change of targets, as deletions for those (G68): the object, and events of a program
 * without targets of their own.
 */
export const lostObjects = async (
  { untargetedEvents }: Pick<ObjectStore, "untargetedEvents">,
  before: FoundObject,
  after: FoundObject,
  written: Written,
): Promise<readonly ObjectChange[]> => {
  if (!isLost(before, after.audience)) return [];
  const events = before.objectType === "PROGRAM" ? await untargetedEvents(before.id, written.at) : [];
  return [...events.map((event) => ({ ...event, audience: before.audience })), before].map((object) => ({
    ...changeOf("DELETE", object, written),
    keptTargets: after.audience,
  }));
};

/** Whether somebody might see an object by its targets who does not by the others; none are everybody. */
const isLost = ({ objectType, venId, audience }: FoundObject, kept: readonly string[]): boolean =>
  (objectType === "PROGRAM" || objectType === "EVENT") &&
  venId === null &&
  kept.length > 0 &&
  (audience.length === 0 || audience.some((target) => !kept.includes(target)));
