/** The time zone in which a page shows its times. */
export interface PageZone {
  readonly timeZone: string;
  /** The site or program whose zone it is; null for the reader's. */
  readonly whose: string | null;
}

/**
 * The zone that everything on a page has in common, else the reader's. `whose` says what has it, if it is not the
 * reader's.
 */
export const pageZone = (timeZones: Iterable<string>, whose: string, own: string): PageZone => {
  const [first, ...others] = new Set(timeZones);
  return first === undefined || others.length > 0 ? { timeZone: own, whose: null } : { timeZone: first, whose };
};

/** The words under a page; the reader's own zone is always named. */
export const pageZoneWords = ({ timeZone, whose }: PageZone, own: string): string =>
  whose === null
    ? `Times on this page are in your time zone, ${own}.`
    : `Times on this page are those of ${whose}, ${timeZone}. ${timeZone === own ? "Your time zone is the same." : `Your time zone is ${own}.`}`;
