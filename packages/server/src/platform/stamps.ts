import { randomUUID } from "node:crypto";

/**
 * The parts of what participants, VENs and their systems can see: `access` is that of keys and of certificates of VENs,
 * `clients` that of OpenADR 3. Each change of a part gives it a new stamp.
 */
const parts = ["access", "clients", "dispatches", "ven_events"] as const;
export type VisiblePart = (typeof parts)[number];

export const eachPart = <T>(of: (part: VisiblePart) => T): Record<VisiblePart, T> =>
  Object.fromEntries(parts.map((part) => [part, of(part)])) as Record<VisiblePart, T>;

/** Data that was read after a part's stamp is current while the stamp stays the same. Compare stamps of one process only. */
export type Stamps = Readonly<Record<VisiblePart, string>>;

/** Reads the stamps as they are now; never older than the call. */
export type ReadStamps = () => Promise<Stamps>;

/** A stamp as known without asking: renewed within a second. */
export type KnownStamp = () => string;

/** The stamps, or new ones if they cannot be read in time: then nothing is answered from memory. */
export const stampsOrNew =
  (read: ReadStamps): ReadStamps =>
  () =>
    read().catch(() => eachPart(() => randomUUID()));
