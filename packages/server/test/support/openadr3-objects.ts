import { storesOver } from "../../src/app/stores.js";
import type { StoredObjectType } from "../../src/openadr-3/domain/stored-object.js";
import { recordCreation } from "../../src/openadr-3/operations/record-object.js";
import { newId } from "../../src/platform/runtime/secrets.js";
import type { Participant, Running } from "./running.js";
import { testSecretBox } from "./secret-box.js";

/** The client of a VEN, with its ven. */
export interface StoredClient {
  readonly id: string;
  readonly venId: string;
}

interface NewClient {
  readonly environment?: "production" | "sandbox";
  readonly siteIds?: readonly string[] | null;
}

/** Adds the client of a VEN to the database. */
export const addVenClient = async (
  { database, clock }: Running,
  { accountId }: Pick<Participant, "accountId">,
  { environment = "production", siteIds = null }: NewClient = {},
): Promise<StoredClient> => {
  const stores = storesOver(database.pool, testSecretBox);
  const [id, venId, at] = [newId("oac"), newId("oav"), clock.now()];
  const client = {
    id,
    role: "ven" as const,
    accountId,
    environment,
    name: id,
    siteIds,
    scopes: [],
    externalId: null,
    previousSecretUntil: null,
    tokensFrom: at,
    createdAt: at,
    revokedAt: null,
    lastUsedAt: null,
  };
  await stores.openadr3Clients.insert(client, Buffer.alloc(32));
  await recordCreation(
    stores,
    {
      id: venId,
      environment,
      objectType: "VEN",
      clientId: id,
      programId: null,
      eventId: null,
      venId: null,
      name: id,
      targets: [],
      transpiresAt: null,
      body: { venName: id },
      bearerTokens: null,
      source: { kind: "client", id },
      registeredAt: null,
      createdAt: at,
      modifiedAt: at,
    },
    null,
  );
  return { id, venId };
};

/** The stored objects of a type, of a ven or all, in the order of creation. */
export const objectsOf = async ({ database }: Running, type: StoredObjectType, venId: string | null = null) =>
  (
    await database.pool.query(
      `select * from openadr3_objects where object_type = $1 and ($2::text is null or ven_id = $2) order by seq`,
      [type, venId],
    )
  ).rows;

/** The events of dispatches that a ven has. */
export const dispatchEvents = async (service: Running, venId: string) =>
  (await objectsOf(service, "EVENT", venId)).filter(({ source }) => source === "dispatch");

/** Operations on a type of object that were told, in order. */
export const changesOf = async ({ database }: Running, type: StoredObjectType, venId: string) =>
  (
    await database.pool.query(
      `select operation, source_id, object from openadr3_changes where object_type = $1 and ven_id = $2 and source is not null
       order by seq`,
      [type, venId],
    )
  ).rows;
