import { isRefusal, type Result } from "../../platform/refusal.js";
import type { FoundObject, StoredObjectType } from "../domain/stored-object.js";
import type { Openadr3Caller } from "./caller.js";
import type { ObjectDraft, ObjectRequests } from "./object-drafts.js";
import { type ObjectStores, recordUpdate, type Written } from "./record-object.js";

/**
 * A resource belongs to the client of its ven (G76), whatever its request says. Called before the resource is locked: a
 * change of a ven locks first the ven and then its resources.
 *
 * @returns the client; null: it is no resource, or there is no such ven
 */
export const ownerOfResource = async (
  { openadr3Objects }: Pick<ObjectStores, "openadr3Objects">,
  environment: FoundObject["environment"],
  { objectType, venId }: Pick<ObjectDraft, "objectType" | "venId">,
): Promise<string | null> => {
  if (objectType !== "RESOURCE" || venId === null) return null;
  return (await openadr3Objects.lockVen(environment, venId))?.clientId ?? null;
};

/** A VEN has no more than one ven: its resources belong to it where the request does not say. */
export const withOwnVen = async <T extends StoredObjectType>(
  { openadr3Objects }: Pick<ObjectStores, "openadr3Objects">,
  { client: { environment, id, role } }: Openadr3Caller,
  type: T,
  request: ObjectRequests[T],
): Promise<ObjectRequests[T]> => {
  if (type !== "RESOURCE" || role === "bl" || "venID" in request) return request;
  const { venId } = await openadr3Objects.grantsOf(environment, id);
  return venId === null ? request : { ...request, venID: venId };
};

const AT_ONCE = 500;

/** Gives the resources of a ven, which the transaction has locked, to the client that the ven was given to. */
export const moveResources = async (
  stores: ObjectStores,
  { before, after }: { readonly before: FoundObject; readonly after: FoundObject },
  written: Written,
): Promise<Result<readonly FoundObject[]>> => {
  if (after.objectType !== "VEN" || before.clientId === after.clientId) return [];
  const { environment, id: venId } = after;
  const search = { environment, venId, targets: null, withUntargeted: true, limit: AT_ONCE } as const;
  const moved: FoundObject[] = [];
  for (;;) {
    const found = await stores.openadr3Objects.search({ ...search, objectType: "RESOURCE", skip: moved.length });
    for (const resource of found) {
      const update = await recordUpdate(stores, resource, { ...resource, clientId: after.clientId }, written);
      if (isRefusal(update)) return update;
      moved.push(update);
    }
    if (found.length < AT_ONCE) return moved;
  }
};
