/** What waits to be corrected in the result of a dispatch, in Unix milliseconds. */
export interface WaitingCorrection {
  /** When something was noted first, and last. */
  readonly firstMs: number;
  readonly newestMs: number;
  /** When the newest version of the result was made; null: there is none. */
  readonly versionMs: number | null;
}

/** Corrections come in many uploads: they are waited for so long after the newest one. */
export const QUIET_MS = 2000;
/** The same where there is a version of the last minute already. */
const QUIET_AFTER_VERSION_MS = 10_000;
/** While uploads keep coming, a correction waits no longer than this. */
export const LONGEST_WAIT_MS = 60_000;
/** And while they do, versions are so far apart. */
const BETWEEN_VERSIONS_MS = 60_000;

/** From when on the result is corrected, in Unix milliseconds. */
export const correctedFromMs = ({ firstMs, newestMs, versionMs }: WaitingCorrection): number => {
  const apartMs = versionMs === null ? Number.NEGATIVE_INFINITY : versionMs + BETWEEN_VERSIONS_MS;
  const quietMs = Math.min(newestMs + QUIET_AFTER_VERSION_MS, Math.max(newestMs + QUIET_MS, apartMs));
  return Math.min(quietMs, Math.max(firstMs + LONGEST_WAIT_MS, apartMs));
};
