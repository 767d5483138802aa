import type { LoopClock } from "../../platform/clock.js";
import type { Log } from "../../platform/log.js";
import { Polling } from "../../platform/polling.js";
import { afterPoll, isWorthKeeping, type Polls } from "../domain/polls.js";

/** Stores the latest note of each. */
export interface NoteArchive<Note> {
  save(notes: ReadonlyMap<string, Note>): Promise<void>;
}

interface NotePorts<Note> {
  readonly archive: NoteArchive<Note>;
  readonly clock: Pick<LoopClock, "sleep">;
  readonly log: Pick<Log, "warn">;
  /** Log message if notes could not be stored. */
  readonly failure: string;
  /** Whether to save even though nothing was noted. */
  readonly isDue?: () => boolean;
}

export const SAVE_EVERY_MS = 3000;

/** Collects polls by the poller's id, so that a poll without changes costs no write. */
export class PollNotes<Note> {
  private noted = new Map<string, Note>();
  private readonly saving: Polling;

  constructor(private readonly ports: NotePorts<Note>) {
    const { clock } = ports;
    const look = async () => {
      await this.save();
      return false;
    };
    const onError = (error: unknown) => this.ports.log.warn({ err: error }, ports.failure);
    this.saving = new Polling({ look, onError, clock, everyMs: SAVE_EVERY_MS, restsFirst: true });
    this.saving.start();
  }

  note(id: string, note: Note): void {
    this.noted.set(id, note);
  }

  /** Writes the rest. */
  async stop(): Promise<void> {
    await this.saving.stop();
    await this.save();
  }

  async save(): Promise<void> {
    const notes = this.noted;
    if (notes.size === 0 && this.ports.isDue?.() !== true) return;
    this.noted = new Map();
    try {
      await this.ports.archive.save(notes);
    } catch (error) {
      for (const [id, note] of notes) if (!this.noted.has(id)) this.noted.set(id, note);
      this.ports.log.warn({ err: error, count: notes.size }, this.ports.failure);
    }
  }
}

export type UsualPollArchive = NoteArchive<Polls>;

export type UsualPollPorts = Omit<NotePorts<Polls>, "isDue">;

/** How accounts or VENs poll, as this process sees it; written when it changes, usually at most once a minute. */
export class UsualPolls {
  private readonly seen = new Map<string, Polls>();
  private readonly kept = new Map<string, Polls>();
  private readonly notes: PollNotes<Polls>;

  constructor(ports: UsualPollPorts) {
    this.notes = new PollNotes(ports);
  }

  note(id: string, at: Date): void {
    const polls = afterPoll(this.seen.get(id) ?? null, at);
    this.seen.set(id, polls);
    if (!isWorthKeeping(this.kept.get(id) ?? null, polls)) return;
    this.kept.set(id, polls);
    this.notes.note(id, polls);
  }

  /** Writes the rest. */
  stop(): Promise<void> {
    return this.notes.stop();
  }
}
