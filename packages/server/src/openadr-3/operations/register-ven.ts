import { conflict, isRefusal, type Result } from "../../platform/refusal.js";
import type { FoundObject } from "../domain/stored-object.js";
import { isBusinessLogic, type Openadr3Caller } from "./caller.js";
import { drafts, type ObjectDraft, type ObjectRequests } from "./object-drafts.js";
import { type ObjectStores, recordUpdate } from "./record-object.js";

/**
 * A ven that was made with its client waits for the client to register: its first POST takes it over, with the name and
 * attributes that the VEN gives. null: there is none.
 */
export const registerVen = async (
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
