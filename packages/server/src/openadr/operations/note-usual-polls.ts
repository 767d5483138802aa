import type { LoopClock } from "../../platform/clock.js";
import { afterPoll, isWorthKeeping, type Polls } from "../domain/polls.js";
import { type NoteArchive, type NoteLog, PollNotes } from "./note-polls.js";

export type UsualPollArchive = NoteArchive<Polls>;

export interface UsualPollPorts {
  readonly archive: UsualPollArchive;
  readonly clock: Pick<LoopClock, "sleep">;
  readonly log: NoteLog;
  /** Log message if polls could not be stored. */
  readonly failure: string;
}

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
