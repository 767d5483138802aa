import { type Participant, type WatchState, watchDispatches } from "@curtail/client";
import { type Command, InvalidArgumentError } from "commander";
import { duration, optionWith, pollInterval } from "../option-values.js";
import { httpAddress } from "../service-address.js";
import { attemptLine, forward } from "./listen-forward.js";
import { isSecret, type Notice, newSecret, noticeOf } from "./listen-notice.js";
import { type ListenState, type ListenStore, listenStore } from "./listen-state.js";
import { onRun, participantCommand, type Run, withExamples } from "./participant-call.js";
import type { ParticipantIo } from "./participant-io.js";
import { untilInterrupted } from "./until-interrupted.js";

interface ListenOptions {
  readonly forwardTo: string;
  /** Milliseconds. */
  readonly since?: number;
  readonly secret?: string;
  /** Milliseconds. */
  readonly every: number;
  readonly restart?: true;
}

export const listenCommand = (io: ParticipantIo): Command => {
  const command = participantCommand(
    io,
    "listen",
    "Forward notices to a program on this machine, signed like those of a webhook. No port has to be open.",
  )
    .requiredOption("--forward-to <url>", "Address of your program.", httpAddress)
    .option("--since <duration>", "At the first start, also forward dispatches created up to this long ago.", duration)
    .option("--secret <secret>", "Secret to sign with (whsec_…). Default: one that is made once and kept.", secret)
    .addOption(
      optionWith("--every <duration>", {
        description: "Time between two polls, while there is no stream.",
        parse: pollInterval,
        standard: "5s",
      }),
    )
    .option("--restart", "Forget what was forwarded, as at the first start; the secret stays.");
  withExamples(
    command,
    "curtail listen --forward-to http://127.0.0.1:9000/",
    "curtail listen --forward-to http://127.0.0.1:9000/ --since 24h",
    "curtail listen --forward-to http://127.0.0.1:9000/ --since 1h --restart",
  );
  return onRun<ListenOptions>(io, command, listen);
};

const secret = (text: string): string => {
  if (!isSecret(text)) throw new InvalidArgumentError("It must be whsec_ and 24 to 64 bytes in base64.");
  return text;
};

const listen = async (run: Run<ListenOptions>): Promise<void> => {
  const { io, options, print, access, connect } = run;
  const participant = await connect();
  const store = listenStore(io.stateFolder, access(), options.forwardTo);
  const before = store.load();
  const resumed = options.restart === true ? null : before;
  const secret = options.secret ?? before?.secret ?? newSecret();
  const listener = new Listener(run, store, { ...(resumed ?? (await firstState(run, participant))), secret });
  listener.save();
  print.note(`Forwarding to ${options.forwardTo}${resumed === null ? "" : ", from where it stopped"}. Ctrl-C stops.`);
  print.note(`Secret: ${listener.state.secret}`);
  await untilInterrupted(io, (signal) => listener.run(participant, signal));
};

/** What is not to be forwarded: everything, or what was created before `--since`. */
const firstState = async (
  { io, options }: Run<ListenOptions>,
  participant: Participant,
): Promise<Omit<ListenState, "secret">> => {
  const { dispatches } = await participant.listDispatches();
  const fromMs = options.since === undefined ? Number.POSITIVE_INFINITY : io.now().getTime() - options.since;
  const old = dispatches.filter(({ creation_time }) => Date.parse(creation_time) < fromMs);
  const forwarded = Object.fromEntries(old.map(({ id, modification_number }) => [id, modification_number]));
  return { forwarded, watched: null };
};

class Listener {
  constructor(
    private readonly of: Run<ListenOptions>,
    private readonly store: ListenStore,
    public state: ListenState,
  ) {}

  save(): void {
    this.store.save(this.state);
  }

  /** Forwards what is new until the signal is aborted. */
  async run(participant: Participant, signal: AbortSignal): Promise<void> {
    const { options, print } = this.of;
    const store = { load: async () => this.state.watched, save: async (watched: WatchState) => this.keep({ watched }) };
    const onFailure = (error: Error) => print.note(`curtail: ${error.message}; trying again`);
    const watched = watchDispatches(participant, { intervalMs: options.every, store, onFailure, signal });
    for await (const { dispatch } of watched) {
      const notice = noticeOf(dispatch, this.state.forwarded, options.forwardTo);
      if (notice !== null) await this.forward(notice, signal);
    }
  }

  private async forward(notice: Notice, signal: AbortSignal): Promise<void> {
    const { io, options, print } = this.of;
    await forward(notice, {
      target: options.forwardTo,
      secret: this.state.secret,
      signal,
      wait: (ms, until) => io.wait(ms, until),
      onAttempt: (attempt) =>
        print.line(print.isJson ? JSON.stringify({ ...notice, ...attempt }) : attemptLine(notice, attempt)),
    });
    this.keep({ forwarded: { ...this.state.forwarded, [notice.dispatchId]: notice.modification } });
  }

  private keep(change: Partial<ListenState>): void {
    this.state = { ...this.state, ...change };
    this.save();
  }
}
