import { randomBytes } from "node:crypto";
import { CommandFailure, usageFault } from "../admin-io.js";
import { type EventsState, type EventsStore, openEventsState } from "./events-state.js";
import {
  bodyOfNotice,
  type EventNotice,
  missingEvents,
  newEvents,
  noticeOfMissing,
  withEvent,
  withoutEvent,
} from "./listen-events.js";
import { attemptLine, forward } from "./listen-forward.js";
import type { ListenOptions } from "./listener.js";
import { fetchFor } from "./network.js";
import type { Run } from "./participant-call.js";
import { EXIT_NOT_REACHED } from "./participant-failure.js";
import type { Environment } from "./participant-io.js";
import { restAfter } from "./rest.js";
import { untilInterrupted } from "./until-interrupted.js";
import { Vtn, VtnAway, type VtnClient, type VtnEvent } from "./vtn.js";

/** Forwards the events of a VTN as it would post them to the callback of a subscription. */
export const listenToVtn = async (run: Run<ListenOptions>, url: string): Promise<void> => {
  const { io, options, print } = run;
  const client = clientOf(url, io.environment);
  const vtn = new Vtn(client, await fetchFor(url, io.environment));
  const store = await openEventsState(io.stateFolder, client, options.forwardTo);
  try {
    const { before } = store;
    const resumed = options.restart === true ? null : before;
    const token = before?.token ?? randomBytes(TOKEN_BYTES).toString("hex");
    const listener = new EventListener(run, store, { ...(resumed ?? (await firstState(run, vtn))), token });
    listener.save();
    print.note(`Forwarding to ${options.forwardTo}${resumed === null ? "" : ", from where it stopped"}. Ctrl-C stops.`);
    print.note(`Bearer token: ${token}`);
    await untilInterrupted(io, (signal) => listener.follow(vtn, signal));
  } finally {
    await store.release();
  }
};

const TOKEN_BYTES = 24;
const ID = "CURTAIL_OPENADR3_CLIENT_ID";
const SECRET = "CURTAIL_OPENADR3_CLIENT_SECRET";

const clientOf = (url: string, environment: Environment): VtnClient => {
  const [id, secret] = [ID, SECRET].map((name) => (environment[name] ?? "").trim());
  if (!id || !secret)
    throw usageFault(`set ${ID} and ${SECRET} to the client's id and secret, as the operator gave them`);
  return { url, id, secret };
};

/** What is not to be forwarded: everything, or what was created before `--since`. */
const firstState = async ({ io, options }: Run<ListenOptions>, vtn: Vtn): Promise<Omit<EventsState, "token">> => {
  const fromMs = options.since === undefined ? Number.POSITIVE_INFINITY : io.now().getTime() - options.since;
  const events = await vtn.events().catch(atStart);
  const old = events.filter(({ createdDateTime }) => Date.parse(createdDateTime) < fromMs);
  return { seen: Object.fromEntries(old.map((event) => [event.id, event])) };
};

/** Earlier events could not be told from new ones later, so it does not begin without the list. */
const atStart = (error: unknown): never => {
  if (!(error instanceof VtnAway)) throw error;
  throw new CommandFailure(`${error.message}; start again when it answers`, EXIT_NOT_REACHED, { cause: error });
};

class EventListener {
  private isAway = false;
  /** Events that the last list did not have, and that are not deleted. */
  private absent: ReadonlySet<string> = new Set();

  constructor(
    private readonly of: Run<ListenOptions>,
    private readonly store: EventsStore,
    private state: EventsState,
  ) {}

  save(): void {
    this.store.save(this.state);
  }

  /** Forwards what is new until the signal is aborted. */
  async follow(vtn: Vtn, signal: AbortSignal): Promise<never> {
    const { io, options, print } = this.of;
    for (;;) {
      let restMs = options.every;
      try {
        await this.look(vtn, signal);
        if (this.isAway) print.note("curtail: the VTN answers again");
        this.isAway = false;
      } catch (error) {
        if (!(error instanceof VtnAway)) throw error;
        if (!this.isAway) print.note(`curtail: ${error.message}; trying again`);
        this.isAway = true;
        restMs = restAfter(restMs, error.retryAfterSeconds);
      }
      await io.wait(restMs, signal);
      signal.throwIfAborted();
    }
  }

  private async look(vtn: Vtn, signal: AbortSignal): Promise<void> {
    const events = await vtn.events(signal);
    for (const notice of newEvents(events, this.state.seen)) await this.forward(notice, signal);
    const missing = missingEvents(events, this.state.seen);
    for (const event of missing) {
      const isOver = this.absent.has(event.id) || (await this.isDeleted(vtn, event, signal));
      if (isOver) this.keep({ seen: withoutEvent(this.state.seen, event.id) });
    }
    this.absent = new Set(missing.map(({ id }) => id));
  }

  /** One that is not listed is over, or slipped between two pages: it is deleted only if the VTN says so. */
  private async isDeleted(vtn: Vtn, before: VtnEvent, signal: AbortSignal): Promise<boolean> {
    const now = await vtn.event(before.id, signal);
    const notice = noticeOfMissing(before, now);
    if (notice !== null) await this.forward(notice, signal);
    return now === null;
  }

  private async forward(notice: EventNotice, signal: AbortSignal): Promise<void> {
    const { io, options, print } = this.of;
    const { operation, event } = notice;
    const headers = { "content-type": "application/json", authorization: `Bearer ${this.state.token}` };
    const words = `EVENT ${operation} ${event.id} ${event.eventName ?? ""}`.trimEnd();
    await forward(
      { body: bodyOfNotice(notice), headers: () => headers },
      {
        target: options.forwardTo,
        signal,
        wait: (ms, until) => io.wait(ms, until),
        onAttempt: (attempt) =>
          print.line(
            print.isJson ? JSON.stringify({ operation, event_id: event.id, ...attempt }) : attemptLine(words, attempt),
          ),
      },
    );
    this.keep({ seen: withEvent(this.state.seen, event) });
  }

  private keep(change: Partial<EventsState>): void {
    this.state = { ...this.state, ...change };
    this.save();
  }
}
