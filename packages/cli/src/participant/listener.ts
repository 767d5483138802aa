import {
  type Dispatch,
  isPassing,
  type Participant,
  type Resend,
  type WatchState,
  watchDispatches,
} from "@curtail/client";
import { accountOf } from "./earlier-readings.js";
import { attemptLine, forward } from "./listen-forward.js";
import { headersOf, type Notice, noticeOf, noticeOfResend } from "./listen-notice.js";
import { type Resent, readResends, resentBefore, withResent } from "./listen-resends.js";
import type { ListenState, ListenStore } from "./listen-state.js";
import type { Run } from "./participant-call.js";
import { restAfter } from "./rest.js";

export interface ListenOptions {
  readonly forwardTo: string;
  /** Milliseconds. */
  readonly since?: number;
  readonly secret?: string;
  /** Milliseconds. */
  readonly every: number;
  readonly restart?: true;
  /** Address of a VTN. */
  readonly openadr3?: string;
}

const ASKED_AGAIN_MS = 600_000;
const NOT_LISTED =
  "curtail: the service does not list resends, so none is forwarded until it does; its operator may have to upgrade it";

/** Forwards notices of dispatches, and those that are resent, one at a time. */
export class Listener {
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly of: Run<ListenOptions>,
    private readonly store: ListenStore,
    private state: ListenState,
  ) {}

  save(): void {
    this.store.save(this.state);
  }

  /** Forwards what is new until the signal is aborted. */
  async run(participant: Participant, interrupted: AbortSignal): Promise<void> {
    const failing = new AbortController();
    const signal = AbortSignal.any([interrupted, failing.signal]);
    const following = [this.followDispatches(participant, signal), this.followResends(participant, signal)];
    try {
      await Promise.all(following);
    } finally {
      failing.abort();
      await Promise.allSettled(following);
    }
  }

  private async followDispatches(participant: Participant, signal: AbortSignal): Promise<void> {
    const { options, print } = this.of;
    const store = { load: async () => this.state.watched, save: async (watched: WatchState) => this.keep({ watched }) };
    const onFailure = (error: Error) => print.note(`curtail: ${error.message}; trying again`);
    const watched = watchDispatches(participant, { intervalMs: options.every, store, onFailure, signal });
    for await (const { dispatch } of watched) await this.inTurn(() => this.forwardNew(dispatch, signal));
  }

  private async followResends(participant: Participant, signal: AbortSignal): Promise<void> {
    const { io, options, access, print } = this.of;
    let [isAccountKnown, isAsked] = [false, true];
    for (;;) {
      let restMs = options.every;
      try {
        if (!isAccountKnown) {
          this.store.learn(accountOf(access(), (await participant.listSites({ signal })).sites));
          this.save();
        }
        isAccountKnown = true;
        const isListed = await this.forwardResent(participant, signal);
        if (!isListed && isAsked) print.note(NOT_LISTED);
        isAsked = isListed;
        // A proxy may have said so for an hour, and an upgrade is not announced.
        if (!isListed) restMs = Math.max(restMs, ASKED_AGAIN_MS);
      } catch (error) {
        signal.throwIfAborted();
        // Those who follow the dispatches say so.
        if (!isPassing(error)) throw error;
        restMs = restAfter(restMs, error.retryAfter);
      }
      await io.wait(restMs, signal);
      signal.throwIfAborted();
    }
  }

  /** Forwards each resend that is new; false if the service does not list any. */
  private async forwardResent(participant: Participant, signal: AbortSignal): Promise<boolean> {
    const askedMs = this.of.io.now().getTime();
    const listed = await readResends(participant, this.state.resent ?? {}, signal);
    if (listed === null) {
      this.keep({ resendsFromMs: this.state.resendsFromMs ?? askedMs });
      return false;
    }
    const known = this.state.resent ?? this.resentBefore(listed);
    if (known !== this.state.resent) this.keep({ resent: known });
    const fresh = listed.filter(({ id }) => !(id in known));
    if (fresh.length === 0) return true;
    // A resend is of an earlier notice: one that was not forwarded yet goes first.
    const { dispatches } = await participant.listDispatches({ signal });
    for (const dispatch of dispatches.toReversed()) await this.inTurn(() => this.forwardNew(dispatch, signal));
    for (const resend of fresh)
      await this.inTurn(async () => {
        await this.forward(noticeOfResend(resend, this.of.options.forwardTo), signal);
        this.keep({ resent: withResent(this.state.resent ?? {}, [resend]) });
      });
    return true;
  }

  /** Of the time before this version followed resends; those while the service did not list any are not among them. */
  private resentBefore(listed: readonly Resend[]): Resent {
    const { resendsFromMs } = this.state;
    // The list has whole seconds: an entry of the same second may have come later.
    const fromMs = resendsFromMs === undefined ? Number.POSITIVE_INFINITY : Math.floor(resendsFromMs / 1000) * 1000;
    return resentBefore(listed, fromMs);
  }

  private async forwardNew(dispatch: Dispatch, signal: AbortSignal): Promise<void> {
    const notice = noticeOf(dispatch, this.state.forwarded, this.of.options.forwardTo);
    if (notice === null) return;
    await this.forward(notice, signal);
    this.keep({ forwarded: { ...this.state.forwarded, [notice.dispatchId]: notice.modification } });
  }

  private forward(notice: Notice, signal: AbortSignal): Promise<void> {
    const { io, options, print } = this.of;
    const { event, dispatchId, modification, resend } = notice;
    const words = `${event} ${dispatchId} #${modification}${resend === null ? "" : " resent"}`;
    const headers = (nowMs: number) => headersOf(notice, this.state.secret, nowMs);
    return forward(
      { body: notice.body, headers },
      {
        target: options.forwardTo,
        signal,
        wait: (ms, until) => io.wait(ms, until),
        onAttempt: (attempt) =>
          print.line(print.isJson ? JSON.stringify({ ...notice, ...attempt }) : attemptLine(words, attempt)),
      },
    );
  }

  /** Nothing overtakes what waits for the program. */
  private inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.turn.then(work);
    this.turn = done.catch(() => {});
    return done;
  }

  private keep(change: Partial<ListenState>): void {
    this.state = { ...this.state, ...change };
    this.save();
  }
}
