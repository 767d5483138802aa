import {
  type CurtailmentWindow,
  curtailmentWindows,
  type Dispatch,
  type DispatchChange,
  type Participant,
  watchDispatches,
} from "@curtail/client";
import { type DispatchMemory, NOTHING_TOLD, type Told } from "./dispatch-memory.js";
import { type SiteSignal, siteSignals } from "./site-signals.js";

export interface Following {
  /** With `streamDispatches`, what is new is heard within a second. */
  readonly participant: Pick<Participant, "listDispatches" | "getDispatch" | "clock"> &
    Partial<Pick<Participant, "streamDispatches">>;
  readonly memory: DispatchMemory;
  readonly intervalMs: number;
  readonly overlaps: "sum" | "max";
  readonly signal: AbortSignal;
  readonly onChange: (change: DispatchChange) => void;
  readonly onSignal: (signal: SiteSignal, told: Told) => void;
  /** After each poll that succeeded, and whenever a window starts or ends. */
  readonly onState: (windows: readonly CurtailmentWindow[], told: Told) => void;
  /** A failure of a poll, or of the file. It goes on. */
  readonly onFailure: (error: unknown) => void;
}

/** Between attempts after a failure that does not pass by itself, such as a refused key. */
const AGAIN_AFTER_MS = 60_000;
/** Wakes at least this often, as the clock of the machine may be set. */
const LONGEST_SLEEP_MS = 30_000;
/** After a start, what is known from before waits this long for the service's word: it may have been cancelled. */
const FIRST_POLL_MS = 10_000;

/** Follows the dispatches of an account, and the windows of its sites, until the signal is aborted. */
export class DispatchFollower {
  private told: Told = NOTHING_TOLD;
  /** As the service listed them last: newer than what was sent. */
  private listed: ReadonlyMap<string, Dispatch> = new Map();
  private wake = new AbortController();
  private saving: Promise<void> = Promise.resolve();

  constructor(private readonly following: Following) {}

  /** What was sent last. */
  get state(): Told {
    return this.told;
  }

  /** Returns when the signal is aborted. */
  async run(): Promise<void> {
    const { memory, onFailure, signal } = this.following;
    this.told = await memory.load(onFailure).catch((error: unknown) => {
      onFailure(error);
      return NOTHING_TOLD;
    });
    const tasks = [this.watching(), this.timing()].map((task) =>
      task.catch((error: unknown) => {
        if (!signal.aborted) throw error;
      }),
    );
    await Promise.all(tasks);
  }

  private async watching(): Promise<void> {
    const { participant, signal, onFailure } = this.following;
    for (;;) {
      try {
        await this.watchOnce();
      } catch (error) {
        signal.throwIfAborted();
        onFailure(error);
        await participant.clock.sleep(AGAIN_AFTER_MS, signal);
      }
    }
  }

  private async watchOnce(): Promise<void> {
    const { participant, intervalMs, signal, onChange, onFailure } = this.following;
    const store = {
      load: async () => this.told,
      save: ({ seen }: Pick<Told, "seen">) => this.keep({ ...this.told, seen }),
    };
    const watched = { ...participant, listDispatches: this.list };
    for await (const change of watchDispatches(watched, { intervalMs, signal, store, onFailure })) onChange(change);
  }

  private readonly list: Participant["listDispatches"] = async (options) => {
    try {
      const list = await this.following.participant.listDispatches(options);
      this.listed = new Map(list.dispatches.map((each) => [each.id, each]));
      this.following.onState(this.windows(), this.told);
      return list;
    } finally {
      this.wake.abort();
    }
  };

  /** Tells starts and ends of windows when they are due. */
  private async timing(): Promise<void> {
    await this.sleep(FIRST_POLL_MS);
    for (;;) {
      this.following.signal.throwIfAborted();
      // Before it looks: what changes meanwhile wakes it at once.
      this.wake = new AbortController();
      const nextAtMs = await this.signalDue();
      await this.sleep(Math.min(LONGEST_SLEEP_MS, nextAtMs - this.following.participant.clock.now()));
    }
  }

  private async sleep(ms: number): Promise<void> {
    const { participant, signal } = this.following;
    await participant.clock.sleep(ms, AbortSignal.any([signal, this.wake.signal])).catch(() => {});
  }

  /** @returns when the next window starts or ends, in milliseconds of Unix time; Infinity if nothing is planned */
  private async signalDue(): Promise<number> {
    const { participant, onSignal, onState } = this.following;
    const windows = this.windows();
    const { signals, followed, nextAtMs } = siteSignals(windows, this.told.followed, participant.clock.now());
    this.told = { ...this.told, followed };
    for (const each of signals) onSignal(each, this.told);
    if (signals.length > 0) {
      onState(windows, this.told);
      await this.save();
    }
    return nextAtMs;
  }

  private windows(): readonly CurtailmentWindow[] {
    const dispatches = Object.values(this.told.seen).map(({ dispatch }) => this.listed.get(dispatch.id) ?? dispatch);
    return curtailmentWindows(dispatches, { overlaps: this.following.overlaps });
  }

  private async keep(told: Told): Promise<void> {
    this.told = told;
    this.wake.abort();
    this.following.onState(this.windows(), told);
    await this.save();
  }

  /** A full disk must not keep a site from curtailing: memory goes on. */
  private save(): Promise<void> {
    this.saving = this.saving.then(() => this.following.memory.save(this.told)).catch(this.following.onFailure);
    return this.saving;
  }
}
