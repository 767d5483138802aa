import type { JournalKind } from "../journal.js";
import type { KnownStamp, ReadStamps, Stamps, VisiblePart } from "../stamps.js";
import type { JournalTail } from "./journal-tail.js";

/** The kinds of entries that change each part. */
export type PartKinds = Readonly<Record<VisiblePart, readonly JournalKind[]>>;

/** Parts whose known stamps are used: they are renewed when this process commits, before it can read the entry. */
type KnownPart = "access" | "clients";

export interface TailStamps {
  readonly read: ReadStamps;
  readonly known: Readonly<Record<KnownPart, KnownStamp>>;
  /** Calls back whenever the part may have changed. */
  onNew(part: KnownPart, tell: () => void): void;
}

/** Beyond this the journal cannot be read, since it is read once a second. */
const KNOWN_MS = 2000;
/** How long what is known is then used. */
const UNKNOWN_MS = 500;

/** Stamps of this process: each entry of the journal about a part gives it a new one. */
export const tailStamps = (
  tail: Pick<JournalTail, "feed" | "catchUp" | "ageMs">,
  kinds: PartKinds,
  clock: { monotonicMs(): number },
): TailStamps => {
  const stamps = { access: 0, clients: 0, dispatches: 0, ven_events: 0 } satisfies Record<VisiblePart, number>;
  const parts = Object.keys(stamps) as VisiblePart[];
  const heard = { access: [], clients: [] } as Record<KnownPart, Array<() => void>>;
  const renew = (part: VisiblePart): void => {
    stamps[part] += 1;
    if (isKnownPart(part)) for (const tell of heard[part]) tell();
  };
  const renewBy = (changed: readonly VisiblePart[], committed: ReadonlySet<string>): void => {
    for (const part of changed) if (kinds[part].some((kind) => committed.has(kind))) renew(part);
  };
  tail.feed({
    take(entries) {
      // The sandbox has no memory of what can be seen.
      const production = entries.filter(({ environment }) => environment === "production");
      renewBy(parts, new Set(production.map(({ kind }) => kind)));
    },
    committed: (committed) => renewBy(KNOWN_PARTS, committed),
    reset: () => parts.forEach(renew),
  });
  const known = (part: KnownPart) => (): string =>
    tail.ageMs() <= KNOWN_MS ? `${stamps[part]}` : `${stamps[part]} ${Math.floor(clock.monotonicMs() / UNKNOWN_MS)}`;
  return {
    async read() {
      await tail.catchUp();
      return Object.fromEntries(parts.map((part) => [part, `${stamps[part]}`])) as unknown as Stamps;
    },
    known: { access: known("access"), clients: known("clients") },
    onNew: (part, tell) => void heard[part].push(tell),
  };
};

const KNOWN_PARTS = ["access", "clients"] as const satisfies readonly KnownPart[];

const isKnownPart = (part: VisiblePart): part is KnownPart => KNOWN_PARTS.some((known) => known === part);
