import { operator } from "@curtail/contract";
import { expect, vi } from "vitest";
import type { StoredObjectType } from "../../src/openadr-3/domain/stored-object.js";
import type { Participant, Running } from "./running.js";

/** The client of a VEN, with its ven. */
export interface StoredClient {
  readonly id: string;
  readonly venId: string;
}

let count = 0;

/** Creates the client of a VEN. */
export const addVenClient = async (
  service: Pick<Running, "made">,
  { accountId }: Pick<Participant, "accountId">,
  more: { readonly environment?: "production" | "sandbox"; readonly sites?: string[] } = {},
): Promise<StoredClient> => {
  const body = { name: `VEN client ${++count}`, ...more };
  const { id, ven_id } = await service.made(operator.createOpenadrClient, { params: { id: accountId }, body });
  if (ven_id === null) throw new Error("the client of a VEN has no ven");
  return { id, venId: ven_id };
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

/** Waits until a ven has this many resources, so that dispatches become events at once; also usable in hooks. */
export const untilResources = (service: Running, venId: string, count: number): Promise<void> =>
  vi.waitFor(async () => expect(await objectsOf(service, "RESOURCE", venId)).toHaveLength(count), { timeout: 30_000 });

/** Waits until a ven has the event of a dispatch; returns it. Also usable in hooks. */
export const untilEvent = (service: Running, venId: string, dispatchId: string) =>
  vi.waitFor(
    async () => {
      const event = (await dispatchEvents(service, venId)).find(({ source_id }) => source_id === dispatchId);
      expect(event, dispatchId).toBeDefined();
      return { id: String(event.id) };
    },
    { timeout: 30_000 },
  );
