import { conflict, type Refusal } from "../../platform/refusal.js";
import type { Openadr3Caller } from "./caller.js";
import type { ObjectDraft } from "./object-drafts.js";

/** What one client may have stored (G69). */
export interface ClientLimits {
  /** Resources that are written over OpenADR, and as many subscriptions. */
  readonly objects: number;
  /** As much of its reports is kept, and of the changes that it wrote. */
  readonly reportBytes: number;
  /** Changes wait for an outside broker, too. */
  readonly isPublished: boolean;
}

/** What the objects of clients take. */
export interface ClientVolume {
  /** Objects of a client that follow nothing of the service; counts no further than `atMost`. */
  countOf(clientId: string, type: "RESOURCE" | "SUBSCRIPTION", atMost: number): Promise<number>;
  /** Adds to the size of a client's reports; until the end of the transaction nobody else does. Returns it. */
  addReport(clientId: string, bytes: number): Promise<number>;
  /** Drops the oldest reports until the rest takes no more than so many bytes. */
  dropOldReports(clientId: string, keepBytes: number): Promise<void>;
  /** Adds to the size of the changes that a client wrote. Returns it. */
  addChange(clientId: string, bytes: number): Promise<number>;
  /** Drops the oldest of these changes until the rest takes no more than so many bytes. */
  dropOldChanges(clientId: string, keep: KeptChanges): Promise<void>;
}

export interface KeptChanges {
  readonly bytes: number;
  readonly isPublished: boolean;
  /** When they were written at the latest: brokers of processes have read them since. */
  readonly writtenBefore: Date;
  /** Also those that somebody still has to receive. */
  readonly withDue: boolean;
}

/** So much of the limit is left when old ones are dropped: not every write has to look for them. */
const KEPT_SHARE = 0.9;

/** The broker of each process reads a change long before. */
const READ_MS = 60_000;

/** Refuses a further resource or subscription of a client that has as many as it may. */
export const refuseFurther = async (
  volume: Pick<ClientVolume, "countOf">,
  { objects }: ClientLimits,
  { objectType, clientId }: ObjectDraft,
): Promise<Refusal | null> => {
  if (clientId === null || (objectType !== "RESOURCE" && objectType !== "SUBSCRIPTION")) return null;
  const count = await volume.countOf(clientId, objectType, objects);
  const noun = objectType === "RESOURCE" ? "resources" : "subscriptions";
  return count < objects ? null : conflict(`the client has ${objects} ${noun}, the most allowed; delete some`);
};

/** Makes room for a report that was just stored; its readings, and those of older ones, are stored elsewhere. */
export const makeRoom = async (
  volume: ClientVolume,
  { reportBytes }: ClientLimits,
  { objectType, clientId, body }: ObjectDraft,
): Promise<void> => {
  if (objectType !== "REPORT" || clientId === null) return;
  await addToReports(volume, { reportBytes }, { clientId, bytes: Buffer.byteLength(JSON.stringify(body)) });
};

export const addToReports = async (
  volume: Pick<ClientVolume, "addReport" | "dropOldReports">,
  { reportBytes }: Pick<ClientLimits, "reportBytes">,
  { clientId, bytes }: { readonly clientId: string; readonly bytes: number },
): Promise<void> => {
  const total = await volume.addReport(clientId, bytes);
  if (total > reportBytes) await volume.dropOldReports(clientId, Math.floor(reportBytes * KEPT_SHARE));
};

/**
 * Makes room for changes that a client just wrote, as what it writes again and again would be kept for a week. Those of
 * a VEN, which concern its own objects, are dropped also before business logic received them: it can read the objects.
 */
export const boundChanges = async (
  volume: Pick<ClientVolume, "addChange" | "dropOldChanges">,
  { reportBytes, isPublished }: ClientLimits,
  { client }: Openadr3Caller,
  { objects, at }: { readonly objects: readonly Pick<ObjectDraft, "body">[]; readonly at: Date },
): Promise<void> => {
  const bytes = objects.reduce((sum, { body }) => sum + Buffer.byteLength(JSON.stringify(body)), 0);
  const total = await volume.addChange(client.id, bytes);
  if (total > reportBytes)
    await volume.dropOldChanges(client.id, {
      bytes: Math.floor(reportBytes * KEPT_SHARE),
      isPublished,
      writtenBefore: new Date(at.getTime() - READ_MS),
      withDue: client.role === "ven",
    });
};
