import { ErrorResponse, type Participant, type Resend } from "@curtail/client";

/** When resends that were forwarded were asked for, by their ids. */
export type Resent = Readonly<Record<string, string>>;

const PAGE = 100;
/** Longer than resends are listed. */
const KEPT_MS = 25 * 3_600_000;

/** Resends of the last day back to those that are known, oldest first; null if the service does not list any. */
export const readResends = async (
  participant: Participant,
  known: Resent,
  signal?: AbortSignal,
): Promise<readonly Resend[] | null> => {
  const settings = signal === undefined ? {} : { signal };
  const items: Resend[] = [];
  let cursor: string | null = null;
  try {
    do {
      const query = cursor === null ? { limit: PAGE } : { limit: PAGE, cursor };
      const page: Awaited<ReturnType<Participant["listResends"]>> = await participant.listResends(query, settings);
      items.push(...page.items);
      cursor = page.items.every(({ id }) => id in known) ? null : page.next_cursor;
    } while (cursor !== null);
  } catch (error) {
    if (error instanceof ErrorResponse && error.status === 404) return null;
    throw error;
  }
  return items.toReversed();
};

/** Those that are not to be forwarded: the ones that were asked for before a time, in milliseconds. */
export const resentBefore = (listed: readonly Resend[], fromMs: number): Resent =>
  withResent(
    {},
    listed.filter(({ at }) => Date.parse(at) < fromMs),
  );

/** Remembers resends, and forgets those that are not listed any more. */
export const withResent = (known: Resent, more: readonly Pick<Resend, "id" | "at">[]): Resent => {
  const all = [...Object.entries(known), ...more.map(({ id, at }) => [id, at] as const)];
  const newestMs = Math.max(...all.map(([, at]) => Date.parse(at)));
  return Object.fromEntries(all.filter(([, at]) => newestMs - Date.parse(at) < KEPT_MS));
};
