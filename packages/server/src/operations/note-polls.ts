import type { Clock, NewId } from "./clock.js";

/** A time in which a process listened for VENs without a break. */
export interface ListeningSpan {
  readonly id: string;
  readonly since: Date;
  readonly until: Date;
}

/** Keeps when each VEN polled last, and when somebody listened to them. */
export interface VenPollArchive {
  save(polls: ReadonlyMap<string, Date>): Promise<void>;
  /** Begins a span, or makes it longer. */
  saveListening(span: ListeningSpan): Promise<void>;
}

interface PollPorts {
  readonly archive: VenPollArchive;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: { warn(details: object, message: string): void };
  /** Never set back, and goes on while the process stands still. */
  readonly monotonicMs: () => number;
}

const SAVE_EVERY_MS = 3000;
/** After a longer break, of the database or of this process, nobody can say that VENs had anybody to poll. */
const MAX_BREAK_MS = 5 * SAVE_EVERY_MS;

/**
 * Gathers when VENs polled, so that a poll that changes nothing writes nothing of its own. The time in which this process
 * listened is written after the polls of that time: whoever reads it can tell silence from an outage.
 */
export class PollNotes {
  private noted = new Map<string, Date>();
  private readonly timer: NodeJS.Timeout;
  private span: Omit<ListeningSpan, "until"> | null = null;
  private isListening = false;
  private savedAtMs = 0;

  constructor(private readonly ports: PollPorts) {
    this.timer = setInterval(() => void this.save(), SAVE_EVERY_MS);
    this.timer.unref();
  }

  note(ven: string, at: Date): void {
    this.noted.set(ven, at);
  }

  /** VENs may poll from now on. */
  async startListening(): Promise<void> {
    this.isListening = true;
    await this.save();
  }

  /** Writes what is left. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.save();
  }

  async save(): Promise<void> {
    const polls = this.noted;
    if (polls.size === 0 && !this.isListening) return;
    this.noted = new Map();
    const [until, startedMs] = [this.ports.clock.now(), this.ports.monotonicMs()];
    try {
      if (polls.size > 0) await this.ports.archive.save(polls);
      if (this.isListening) await this.ports.archive.saveListening({ ...this.spanAt(until, startedMs), until });
      this.savedAtMs = startedMs;
    } catch (error) {
      for (const [ven, at] of polls) if (!this.noted.has(ven)) this.noted.set(ven, at);
      this.ports.log.warn({ err: error, vens: polls.size }, "the last polls of VENs could not be noted yet");
    }
  }

  private spanAt(now: Date, startedMs: number): Omit<ListeningSpan, "until"> {
    if (this.span === null || startedMs - this.savedAtMs > MAX_BREAK_MS) {
      this.span = { id: this.ports.newId("lis"), since: now };
    }
    return this.span;
  }
}
