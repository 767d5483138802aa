const NAME = /^curtail-(\d{4}-\d{2}-\d{2})T(\d{2})(\d{2})(\d{2})Z\.backup$/;
const DAY_MS = 86_400_000;

/** Name of a daily backup: `curtail-2026-11-27T023000Z.backup`. */
export const backupNameAt = (at: Date): string =>
  `curtail-${at.toISOString().slice(0, 19).replaceAll(/:/g, "")}Z.backup`;

/** When a file was made, by its name; null if it is no daily backup. */
export const madeAtOf = (name: string): Date | null => {
  const [, day, hours, minutes, seconds] = NAME.exec(name) ?? [];
  if (day === undefined) return null;
  const at = new Date(`${day}T${hours}:${minutes}:${seconds}Z`);
  return Number.isNaN(at.getTime()) ? null : at;
};

/** The daily backups that are older than `days`; the newest one is always kept, and other files are never named. */
export const outdatedBackups = (names: readonly string[], days: number, now: Date): readonly string[] =>
  newestFirst(names)
    .slice(1)
    .flatMap(({ name, at }) => (now.getTime() - at.getTime() > days * DAY_MS ? [name] : []));

/** The newest daily backup; null: there is none. */
export const newestBackup = (names: readonly string[]): string | null => newestFirst(names)[0]?.name ?? null;

const newestFirst = (names: readonly string[]) =>
  names
    .flatMap((name) => {
      const at = madeAtOf(name);
      return at === null ? [] : [{ name, at }];
    })
    .sort((one, other) => other.at.getTime() - one.at.getTime());

/**
 * The newest moment of the day, in UTC, at or before `now`.
 *
 * @param minutes minutes after midnight
 */
export const latestTurn = (minutes: number, now: Date): Date => {
  const today = new Date(now);
  today.setUTCHours(0, minutes, 0, 0);
  return today <= now ? today : new Date(today.getTime() - DAY_MS);
};
