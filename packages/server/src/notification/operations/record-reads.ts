import type { Caller } from "../../access/operations/caller.js";
import type { Dispatch } from "../../dispatch/domain/dispatch.js";
import type { DispatchService } from "../../dispatch/operations/dispatch-service.js";
import { type UsualPollPorts, UsualPolls } from "../../openadr/operations/note-polls.js";
import { Batcher } from "../../platform/batcher.js";
import type { Clock } from "../../platform/clock.js";
import type { Log } from "../../platform/log.js";
import { isRefusal } from "../../platform/refusal.js";
import { within } from "../../platform/within.js";

/** An answer with a modification of a dispatch, returned to an account. */
export interface DispatchRead {
  readonly accountId: string;
  readonly dispatchId: string;
  readonly modificationNumber: number;
  readonly how: "polled" | "fetched";
  readonly at: Date;
}

type ReadSubject = Pick<DispatchRead, "accountId" | "dispatchId" | "modificationNumber">;

/** How accounts poll GET /dispatches. */
export const accountPolls = (ports: Omit<UsualPollPorts, "failure">): UsualPolls =>
  new UsualPolls({ ...ports, failure: "polls of accounts could not be recorded; retrying" });

/** Stores the first read of each modification by each account, per kind of read. */
export interface ReadArchive {
  /** Returns those that were the first, if it was made to. */
  add(reads: readonly DispatchRead[]): Promise<readonly DispatchRead[]>;
}

/** How long an answer waits for its evidence. */
const PATIENCE_MS = 1000;
/** Some 20 MB. Forgotten reads are written once more, without effect. */
const MAX_REMEMBERED = 100_000;

interface Recording {
  readonly reads: ReadRecorder;
  readonly polls: Pick<UsualPolls, "note">;
  readonly clock: Clock;
}

/** Wraps the service so that its answers are recorded as evidence before they are sent. */
export const withReadsRecorded = <S extends Pick<DispatchService, "listDispatches" | "findDispatch">>(
  service: S,
  { reads, polls, clock }: Recording,
): S => ({
  ...service,
  async listDispatches(caller, sight) {
    const dispatches = await service.listDispatches(caller, sight);
    if (sight === "seen") await recordPoll({ reads, polls, clock }, caller, dispatches);
    return dispatches;
  },
  async findDispatch(caller, id, sight) {
    const dispatch = await service.findDispatch(caller, id, sight);
    if (!isRefusal(dispatch) && sight === "seen") {
      await reads.record([{ ...subjectOf(caller, dispatch), how: "fetched", at: clock.now() }]);
    }
    return dispatch;
  },
});

/** Records what an account is about to see in its list; never throws. null: it was recorded before. */
export const recordPoll = (
  { reads, polls, clock }: Recording,
  caller: Caller,
  dispatches: readonly Dispatch[],
): Promise<void> | null => {
  const at = clock.now();
  polls.note(caller.accountId, at);
  // Usually there is nothing new: a poll then costs no more than looking.
  if (reads.isRecordedList(caller, dispatches)) return null;
  const seen = dispatches
    .map((dispatch) => subjectOf(caller, dispatch))
    .filter((subject) => !reads.isRecorded("polled", subject));
  if (seen.length > 0) return reads.record(seen.map((subject) => ({ ...subject, how: "polled", at })));
  reads.rememberList(caller, dispatches);
  return null;
};

const subjectOf = ({ accountId }: Caller, { id, modificationNumber }: Dispatch) => ({
  accountId,
  dispatchId: id,
  modificationNumber,
});

/**
 * Records reads and remembers them, so that polling costs no writes. Reads that arrive during a write are combined in
 * the next.
 */
export class ReadRecorder {
  /** The modification recorded last, by kind of read, account and dispatch. */
  private readonly recorded = new Map<string, number>();
  private readonly writes = new Batcher<readonly DispatchRead[]>({
    work: (answers) => this.write(answers.flat()),
    most: Number.POSITIVE_INFINITY,
  });
  /** Lists whose dispatches were all recorded, and the account that polled them. */
  private readonly recordedLists = new WeakMap<readonly Dispatch[], string>();
  private lastWrite: Promise<void> = Promise.resolve();

  constructor(
    private readonly archive: ReadArchive,
    private readonly log: Pick<Log, "error">,
    /** Called with first reads. */
    private readonly onFirst: ((reads: readonly DispatchRead[]) => void) | null = null,
  ) {}

  isRecorded(how: DispatchRead["how"], read: ReadSubject): boolean {
    return this.recorded.get(keyOf(how, read)) === read.modificationNumber;
  }

  /** Whether the account has polled this very list after all of it was recorded. */
  isRecordedList({ accountId }: Caller, dispatches: readonly Dispatch[]): boolean {
    return this.recordedLists.get(dispatches) === accountId;
  }

  rememberList({ accountId }: Caller, dispatches: readonly Dispatch[]): void {
    this.recordedLists.set(dispatches, accountId);
  }

  /** Waits until the reads are written, but not for long: evidence must not hold up what it proves. Never throws. */
  async record(reads: readonly DispatchRead[]): Promise<void> {
    const fresh = reads.filter((read) => !this.isRecorded(read.how, read));
    if (fresh.length === 0) return;
    this.lastWrite = this.writes.add(fresh);
    await within(this.lastWrite, PATIENCE_MS, () => undefined);
  }

  /** Waits for the current write. */
  settle(): Promise<void> {
    return this.lastWrite;
  }

  private async write(reads: readonly DispatchRead[]): Promise<void> {
    try {
      const first = await this.archive.add(reads);
      for (const read of reads) this.remember(read);
      this.onFirst?.(first);
    } catch (error) {
      this.log.error(
        { err: error, reads: reads.length },
        "reads of dispatches could not be recorded; they are missing from the evidence until participants read again",
      );
    }
  }

  private remember(read: DispatchRead): void {
    const key = keyOf(read.how, read);
    // Deleted first, so that it becomes the newest entry.
    this.recorded.delete(key);
    this.recorded.set(key, read.modificationNumber);
    if (this.recorded.size <= MAX_REMEMBERED) return;
    const [oldest] = this.recorded.keys();
    if (oldest !== undefined) this.recorded.delete(oldest);
  }
}

const keyOf = (how: DispatchRead["how"], { accountId, dispatchId }: ReadSubject): string =>
  `${how} ${accountId} ${dispatchId}`;
