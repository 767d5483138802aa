import type { JournalKind } from "../journal.js";
import { eachPart, type KnownStamp, type ReadStamps, type Stamps, type VisiblePart } from "../stamps.js";
import type { JournalTail } from "./journal-tail.js";

/** The kinds of entries that change each part. */
export type PartKinds = Readonly<Record<VisiblePart, readonly JournalKind[]>>;

export interface TailStamps {
  readonly read: ReadStamps;
  readonly known: Readonly<Record<VisiblePart, KnownStamp>>;
  /** Calls back whenever the part may have changed. */
  readonly onNew: (part: VisiblePart, tell: () => void) => void;
}

/** Renewed when this process commits, before it can read the entry. Lists of dispatches would be read twice. */
const AT_ONCE: readonly VisiblePart[] = ["access", "clients"];

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
  const stamps = eachPart(() => 0);
  /** As told last: most are asked for while nothing is committed. */
  let told: Stamps | null = null;
  const heard = eachPart((): Array<() => void> => []);
  const parts = Object.keys(stamps) as VisiblePart[];
  const renew = (part: VisiblePart): void => {
    stamps[part] += 1;
    told = null;
    for (const tell of heard[part]) tell();
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
    committed: (committed) => renewBy(AT_ONCE, committed),
    reset: () => parts.forEach(renew),
  });
  const known = (part: VisiblePart): string =>
    tail.ageMs() <= KNOWN_MS ? `${stamps[part]}` : `${stamps[part]} ${Math.floor(clock.monotonicMs() / UNKNOWN_MS)}`;
  return {
    async read() {
      await tail.catchUp();
      return (told ??= eachPart((part) => `${stamps[part]}`));
    },
    known: eachPart((part) => () => known(part)),
    onNew: (part, tell) => void heard[part].push(tell),
  };
};
