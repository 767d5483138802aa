import type { Showing } from "../operations/ven-channel.js";

/** Some 10 MB. Forgotten entries are written once more, without effect. */
const MAX_REMEMBERED = 50_000;

/** Remembers which VENs' modifications were recorded, so that each is recorded once. */
export class Recorded {
  private readonly remembered = new Set<string>();

  /** Those not recorded yet. */
  newOf(ven: string, showings: readonly Showing[]): Showing[] {
    return showings.filter((showing) => !this.remembered.has(keyOf(ven, showing)));
  }

  remember(ven: string, showings: readonly Showing[]): void {
    if (this.remembered.size + showings.length > MAX_REMEMBERED) this.remembered.clear();
    for (const showing of showings) this.remembered.add(keyOf(ven, showing));
  }
}

const keyOf = (ven: string, { dispatchId, modificationNumber }: Showing): string =>
  `${ven} ${dispatchId} ${modificationNumber}`;
