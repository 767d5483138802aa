/** A secret address at which a user's calendar program reads dispatches. */
export interface Calendar {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  /** Limits it to the dispatches of a program; null: all. */
  readonly programId: string | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** Limit per user. */
export const MAX_CALENDARS = 10;

const NOTED_EVERY_MS = 60_000;

/** Use is recorded once a minute, to avoid a write per request. */
export const isReadNoted = ({ lastUsedAt }: Pick<Calendar, "lastUsedAt">, now: Date): boolean =>
  lastUsedAt !== null && now.getTime() - lastUsedAt.getTime() < NOTED_EVERY_MS;
