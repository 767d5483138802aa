import type { LoopClock, NewId } from "../../platform/clock.js";
import type { Log } from "../../platform/log.js";
import { type NoteArchive, PollNotes, SAVE_EVERY_MS } from "./note-polls.js";

/** A period in which a process listened for VENs without interruption. */
export interface ListeningSpan {
  readonly id: string;
  readonly since: Date;
  readonly until: Date;
}

/** Stores when each VEN last polled, and when a process listened. */
export interface VenPollArchive extends NoteArchive<Date> {
  /** Starts or extends a period. */
  saveListening(span: ListeningSpan): Promise<void>;
}

interface VenPollPorts {
  readonly archive: VenPollArchive;
  readonly clock: LoopClock;
  readonly newId: NewId;
  readonly log: Pick<Log, "warn">;
  /** Never goes back, and advances even while the process is suspended. */
  readonly monotonicMs: () => number;
}

/** After a longer outage of the database or this process, it is uncertain whether VENs could poll. */
const MAX_BREAK_MS = 5 * SAVE_EVERY_MS;

/**
 * When VENs polled. Listening time is written after the polls of that time, so that readers can distinguish silence
 * from an outage.
 */
export class VenPolls {
  private readonly notes: PollNotes<Date>;
  private span: Omit<ListeningSpan, "until"> | null = null;
  private isListening = false;
  private savedAtMs = 0;

  constructor(private readonly ports: VenPollPorts) {
    this.notes = new PollNotes({
      archive: { save: (polls) => this.write(polls) },
      clock: ports.clock,
      log: ports.log,
      failure: "polls of VENs could not be recorded; retrying",
      isDue: () => this.isListening,
    });
  }

  note(ven: string, at: Date): void {
    this.notes.note(ven, at);
  }

  /** VENs may poll from now on. */
  async startListening(): Promise<void> {
    this.isListening = true;
    await this.save();
  }

  /** Writes the rest. */
  stop(): Promise<void> {
    return this.notes.stop();
  }

  save(): Promise<void> {
    return this.notes.save();
  }

  private async write(polls: ReadonlyMap<string, Date>): Promise<void> {
    const { archive, clock, monotonicMs } = this.ports;
    const [until, startedMs] = [clock.now(), monotonicMs()];
    if (polls.size > 0) await archive.save(polls);
    if (this.isListening) await archive.saveListening({ ...this.spanAt(until, startedMs), until });
    this.savedAtMs = startedMs;
  }

  private spanAt(now: Date, startedMs: number): Omit<ListeningSpan, "until"> {
    if (this.span === null || startedMs - this.savedAtMs > MAX_BREAK_MS) {
      this.span = { id: this.ports.newId("lis"), since: now };
    }
    return this.span;
  }
}
