import type { JournalKind } from "../journal.js";
import type { ReadStamps, VisiblePart } from "../stamps.js";
import type { JournalTail } from "./journal-tail.js";

/** The kinds of entries that change each part. */
export type PartKinds = Readonly<Record<VisiblePart, readonly JournalKind[]>>;

/** Stamps of this process: each entry of the journal about a part gives it a new one. */
export const tailStamps = (tail: Pick<JournalTail, "feed" | "catchUp">, kinds: PartKinds): ReadStamps => {
  const stamps = { access: 0, dispatches: 0, ven_events: 0 } satisfies Record<VisiblePart, number>;
  const parts = Object.keys(stamps) as VisiblePart[];
  const renew = (part: VisiblePart): void => void (stamps[part] += 1);
  tail.feed({
    take(entries) {
      // The sandbox has no memory of what can be seen.
      const known = new Set(entries.filter(({ environment }) => environment === "production").map(({ kind }) => kind));
      for (const part of parts) if (kinds[part].some((kind) => known.has(kind))) renew(part);
    },
    reset: () => parts.forEach(renew),
  });
  return async () => {
    await tail.catchUp();
    return { access: `${stamps.access}`, dispatches: `${stamps.dispatches}`, ven_events: `${stamps.ven_events}` };
  };
};
