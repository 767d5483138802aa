import type { CalendarReader } from "../../access/operations/manage-calendars.js";
import type { Clock } from "../../platform/clock.js";
import { FreshMemory } from "../../platform/fresh-memory.js";
import type { ReadStamps } from "../../platform/stamps.js";
import type { Words } from "../../platform/words.js";
import {
  type CalendarDispatch,
  type CalendarEvent,
  calendarEvents,
  calendarStart,
  cancelledSince,
} from "../domain/calendar-event.js";

/** Which dispatches a calendar contains. */
export interface CalendarScope {
  /** null: those of all accounts. */
  readonly accountId: string | null;
  /** null: those of all programs. */
  readonly programId: string | null;
}

export interface CalendarWindow {
  /** Dispatches that ended before are left out. */
  readonly from: Date;
  /** Dispatches that were cancelled before are left out. */
  readonly cancelledSince: Date;
}

export interface ReadCalendarPorts {
  readonly clock: Clock;
  readonly readStamps: ReadStamps;
  /** Latest start first. */
  readonly dispatchesOf: (scope: CalendarScope, window: CalendarWindow) => Promise<readonly CalendarDispatch[]>;
}

const MOST_BYTES = 32 * 1024 * 1024;
/** Of a dispatch with its site names in memory. */
const DISPATCH_BYTES = 2000;

/** Reads calendars; many programs ask for the same dispatches, which are kept while none changes. */
export class Calendars {
  private readonly memory: FreshMemory<readonly CalendarDispatch[]>;

  constructor(private readonly ports: ReadCalendarPorts) {
    this.memory = new FreshMemory({
      load: (keys) => Promise.all(keys.map((key) => this.load(JSON.parse(key) as CalendarScope))),
      bytesOf: (dispatches) => DISPATCH_BYTES * (dispatches.length + 1),
      mostBytes: MOST_BYTES,
    });
  }

  /** @param pagesUrl address of the reader's pages about dispatches */
  async read({ calendar, user }: CalendarReader, pagesUrl: string, words: Words): Promise<CalendarEvent[]> {
    const { dispatches: stamp } = await this.ports.readStamps();
    const scope: CalendarScope = { accountId: user.accountId, programId: calendar.programId };
    const dispatches = await this.memory.find(JSON.stringify(scope), stamp);
    const side = user.accountId === null ? "operators" : "participants";
    return calendarEvents(dispatches, { side, pagesUrl, words, now: this.ports.clock.now() });
  }

  private load(scope: CalendarScope): Promise<readonly CalendarDispatch[]> {
    const now = this.ports.clock.now();
    return this.ports.dispatchesOf(scope, { from: calendarStart(now), cancelledSince: cancelledSince(now) });
  }
}
