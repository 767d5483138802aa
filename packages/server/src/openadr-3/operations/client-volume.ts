import { conflict, type Refusal } from "../../platform/refusal.js";
import type { ObjectDraft } from "./object-drafts.js";

/** What one client may have stored (G69). */
export interface ClientLimits {
  /** Resources that are written over OpenADR, and as many subscriptions. */
  readonly objects: number;
  readonly reportBytes: number;
}

/** What the objects of clients take. */
export interface ClientVolume {
  /** Objects of a client that follow nothing of the service; counts no further than `atMost`. */
  countOf(clientId: string, type: "RESOURCE" | "SUBSCRIPTION", atMost: number): Promise<number>;
  /** Adds to the size of a client's reports; until the end of the transaction nobody else does. Returns it. */
  addReport(clientId: string, bytes: number): Promise<number>;
  /** Drops the oldest reports, with their settled changes, until the rest takes no more than so many bytes. */
  dropOldReports(clientId: string, keepBytes: number): Promise<void>;
}

/** So much of the limit is left when reports are dropped: not every report has to look for old ones. */
const KEPT_SHARE = 0.9;

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
  const total = await volume.addReport(clientId, Buffer.byteLength(JSON.stringify(body)));
  if (total > reportBytes) await volume.dropOldReports(clientId, Math.floor(reportBytes * KEPT_SHARE));
};
