import { isDeepStrictEqual } from "node:util";
import type { VtnEvent } from "./vtn.js";

/** The events as they were forwarded last, by their ids. */
export type SeenEvents = Readonly<Record<string, VtnEvent>>;

/** What a subscription of OpenADR 3.1 would be notified of. */
export interface EventNotice {
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  readonly event: VtnEvent;
}

/** What is new in a list, oldest change first. */
export const newEvents = (events: readonly VtnEvent[], seen: SeenEvents): readonly EventNotice[] =>
  events
    .flatMap((event): EventNotice[] => {
      const before = seen[event.id];
      if (before === undefined) return [{ operation: "CREATE", event }];
      return isChanged(event, before) ? [{ operation: "UPDATE", event }] : [];
    })
    .toSorted((a, b) => Date.parse(a.event.modificationDateTime) - Date.parse(b.event.modificationDateTime));

/** Two changes within the resolution of a VTN's clock have one time. */
const isChanged = (event: VtnEvent, before: VtnEvent): boolean => !isDeepStrictEqual(event, before);

/** Events that are no longer in a list: they are deleted or over, or came and went between its pages. */
export const missingEvents = (events: readonly VtnEvent[], seen: SeenEvents): readonly VtnEvent[] => {
  const listed = new Set(events.map(({ id }) => id));
  return Object.values(seen).filter(({ id }) => !listed.has(id));
};

/** What is new about an event that is no longer listed; null: it is over, as expected. */
export const noticeOfMissing = (before: VtnEvent, now: VtnEvent | null): EventNotice | null => {
  if (now === null) return { operation: "DELETE", event: before };
  return isChanged(now, before) ? { operation: "UPDATE", event: now } : null;
};

export const withEvent = (seen: SeenEvents, event: VtnEvent): SeenEvents => ({ ...seen, [event.id]: event });

export const withoutEvent = (seen: SeenEvents, id: string): SeenEvents =>
  Object.fromEntries(Object.entries(seen).filter(([each]) => each !== id));

/** As a VTN posts it to a callback. */
export const bodyOfNotice = ({ operation, event }: EventNotice): string =>
  JSON.stringify({ objectType: "EVENT", operation, object: event });
