import type { Environment } from "../../access/domain/api-key.js";
import type { NewId } from "../../platform/clock.js";
import { differenceOf, type ProjectedObject } from "../domain/projection.js";
import { type FoundObject, OBJECT_PREFIXES, type ObjectChange, type StoredObject } from "../domain/stored-object.js";
import type { Openadr3Stores } from "./openadr-3-stores.js";
import { changeOf, later, lostObjects } from "./record-object.js";

export type ProjectingStores = Pick<
  Openadr3Stores,
  "openadr3Objects" | "openadr3Changes" | "openadr3Sources" | "openadr3Projected" | "openadr3Notices"
>;

/** Whose objects follow their sources, and when. */
export interface Projecting {
  readonly environment: Environment;
  readonly at: Date;
  readonly newId: NewId;
}

/** A change with its place in the outbox. */
export interface RecordedChange extends Pick<ObjectChange, "operation" | "object"> {
  readonly seq: number;
}

/** Makes objects what their sources say, and notifies subscribers. Throws if a client took a name meanwhile: look again. */
export const recordProjection = async (
  { openadr3Objects, openadr3Changes, openadr3Projected }: ProjectingStores,
  { environment, at, newId }: Projecting,
  { existing, wanted }: { readonly existing: readonly FoundObject[]; readonly wanted: readonly ProjectedObject[] },
): Promise<readonly RecordedChange[]> => {
  const { created, changed, removed } = differenceOf(existing, wanted);
  // In this order, names that become free can be given again.
  const gone = removed.length === 0 ? [] : await openadr3Objects.remove(removed.map(({ id }) => id));
  const saved = changed.map(({ before, after }) => ({ ...before, ...after, modifiedAt: later(before.modifiedAt, at) }));
  if (saved.length > 0) await openadr3Projected.saveAll(saved);
  const fresh = created.map((object) => newObject(object, { environment, at, newId }));
  if (fresh.length > 0) await openadr3Projected.insertAll(fresh);
  const written = { by: null, at };
  const lost = await Promise.all(
    changed.map(({ before, after }) =>
      lostObjects(openadr3Objects, before, { ...before, audience: after.targets }, written),
    ),
  );
  const changes = [
    ...gone.map((object) => changeOf("DELETE", object, written)),
    ...lost.flat(),
    ...saved.map((object) => changeOf("UPDATE", found(object), written)),
    ...fresh.map((object) => changeOf("CREATE", found(object), written)),
  ];
  const seqs = await openadr3Changes.append(changes);
  return changes.map(({ operation, object }, index) => ({ operation, object, seq: seqs[index] ?? 0 }));
};

const newObject = (object: ProjectedObject, { environment, at, newId }: Projecting): StoredObject => ({
  ...object,
  id: newId(OBJECT_PREFIXES[object.objectType]),
  environment,
  eventId: null,
  bearerTokens: null,
  registeredAt: null,
  createdAt: at,
  modifiedAt: at,
});

/** Events of ours always have targets of their own, or are for one ven. */
const found = (object: StoredObject): FoundObject => ({ ...object, audience: object.targets });
