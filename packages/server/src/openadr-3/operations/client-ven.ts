import type { NewId } from "../../platform/clock.js";
import type { Result } from "../../platform/refusal.js";
import type { Openadr3Client } from "../domain/client.js";
import { BARE_OBJECT, type FoundObject, type StoredObject } from "../domain/stored-object.js";
import type { Openadr3Stores } from "./openadr-3-stores.js";
import { type ObjectStores, recordCreation, recordRemoval, recordUpdate } from "./record-object.js";

/** What the operator sees of a client's ven. */
export interface VenOfClient {
  readonly id: string;
  /** What the VEN is granted. */
  readonly targets: readonly string[];
}

type Objects = Pick<Openadr3Stores, "openadr3Objects">;

const findVen = async ({ openadr3Objects }: Objects, client: Openadr3Client): Promise<FoundObject | null> => {
  const { environment, id } = client;
  const [ven] = await openadr3Objects.ofSource(environment, "VEN", { kind: "client", id });
  return ven ?? null;
};

/** null for business logic, and once the client is revoked. */
export const venOf = async (stores: Objects, client: Openadr3Client): Promise<VenOfClient | null> =>
  client.role === "bl" ? null : findVen(stores, client);

interface Creating {
  readonly client: Openadr3Client;
  readonly targets: readonly string[];
  readonly newId: NewId;
  readonly at: Date;
}

/** Every VEN has a ven from the start, so that it can be granted targets before it registers. */
export const createClientVen = async (
  stores: ObjectStores,
  { client, targets, newId, at }: Creating,
): Promise<Result<FoundObject>> => {
  const { environment, id } = client;
  const named = { environment, objectType: "VEN", targets: null, withUntargeted: true, skip: 0, limit: 1 } as const;
  // Accounts do not know each other's names, so a taken one is told apart by the id.
  const isTaken = (await stores.openadr3Objects.search({ ...named, name: client.name })).length > 0;
  const venName = isTaken ? `${client.name} (${id})` : client.name;
  const ven: StoredObject = {
    ...BARE_OBJECT,
    id: newId("oav"),
    environment,
    objectType: "VEN",
    clientId: id,
    name: venName,
    targets,
    body: { venName, ...bodyTargets(targets) },
    source: { kind: "client", id },
    createdAt: at,
    modifiedAt: at,
  };
  return recordCreation(stores, ven, null);
};

const bodyTargets = (targets: readonly string[]) => (targets.length === 0 ? {} : { targets });

/** Replaces the targets that a VEN is granted. */
export const grantToVen = async (
  stores: ObjectStores,
  client: Openadr3Client,
  { targets, at }: { readonly targets: readonly string[]; readonly at: Date },
): Promise<Result<VenOfClient>> => {
  const found = await findVen(stores, client);
  const before = found && (await stores.openadr3Objects.lock(client.environment, "VEN", found.id));
  if (before === null) throw new Error(`the client ${client.id} has no ven`);
  const { targets: _before, ...body } = before.body;
  const after = { ...before, targets, body: { ...body, ...bodyTargets(targets) } };
  return recordUpdate(stores, before, after, { by: null, at });
};

const AT_ONCE = 500;

/** Deletes the ven and the subscriptions of a client; its reports are kept. */
export const removeObjectsOf = async (stores: ObjectStores, client: Openadr3Client, at: Date): Promise<void> => {
  const { environment, id: clientId } = client;
  for (const objectType of ["SUBSCRIPTION", "VEN"] as const) {
    const search = { environment, objectType, clientId, targets: null, withUntargeted: true, skip: 0, limit: AT_ONCE };
    for (let found = await stores.openadr3Objects.search(search); found.length > 0; ) {
      for (const { id } of found) await recordRemoval(stores, id, { by: null, at });
      found = await stores.openadr3Objects.search(search);
    }
  }
};
