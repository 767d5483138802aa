import type { Participant } from "@curtail/client";
import { type Command, InvalidArgumentError, Option } from "commander";
import { duration, optionWith, pollInterval } from "../option-values.js";
import { httpAddress } from "../service-address.js";
import { accountOf } from "./earlier-readings.js";
import { isSecret, newSecret } from "./listen-notice.js";
import { listenToVtn } from "./listen-openadr3.js";
import { readResends, resentBefore } from "./listen-resends.js";
import { type ListenState, type ListenStore, openListenState } from "./listen-state.js";
import { Listener, type ListenOptions } from "./listener.js";
import { onRun, participantCommand, type Run, withExamples } from "./participant-call.js";
import type { ParticipantIo } from "./participant-io.js";
import { untilInterrupted } from "./until-interrupted.js";

export const listenCommand = (io: ParticipantIo): Command => {
  const command = participantCommand(
    io,
    "listen",
    "Forward notices to a program on this machine, signed like those of a webhook. No port has to be open.",
  )
    .requiredOption("--forward-to <url>", "Address of your program.", httpAddress)
    .option(
      "--since <duration>",
      "At the first start, also forward what was created or resent up to this long ago.",
      duration,
    )
    .option("--secret <secret>", "Secret to sign with (whsec_…). Default: one that is made once and kept.", secret)
    .addOption(
      optionWith("--every <duration>", {
        description: "Time between two polls: for resends, and for dispatches while there is no stream.",
        parse: pollInterval,
        standard: "5s",
      }),
    )
    .option("--restart", "Forget what was forwarded, as at the first start; the secret stays.")
    .addOption(
      new Option(
        "--openadr3 <vtn-url>",
        "Forward events of a VTN of OpenADR 3.1 as it posts them to callbacks. CURTAIL_OPENADR3_CLIENT_ID and CURTAIL_OPENADR3_CLIENT_SECRET have the client.",
      )
        .argParser(httpAddress)
        .conflicts("secret"),
    );
  withExamples(
    command,
    "curtail listen --forward-to http://127.0.0.1:9000/",
    "curtail listen --forward-to http://127.0.0.1:9000/ --since 24h",
    "curtail listen --forward-to http://127.0.0.1:9000/ --since 1h --restart",
    "curtail listen --forward-to http://127.0.0.1:9000/ --openadr3 http://127.0.0.1:8090/openadr3/3.1.0",
  );
  return onRun<ListenOptions>(io, command, (run) =>
    run.options.openadr3 === undefined ? listen(run) : listenToVtn(run, run.options.openadr3),
  );
};

const secret = (text: string): string => {
  if (!isSecret(text)) throw new InvalidArgumentError("It must be whsec_ and 24 to 64 bytes in base64.");
  return text;
};

const listen = async (run: Run<ListenOptions>): Promise<void> => {
  const { io, options, access, connect } = run;
  const participant = await connect();
  const account = async () => accountOf(access(), (await participant.listSites()).sites);
  const place = { access: access(), target: options.forwardTo };
  const store = await openListenState(io.stateFolder, place, account);
  try {
    await forwardFrom(run, participant, store);
  } finally {
    await store.release();
  }
};

const forwardFrom = async (run: Run<ListenOptions>, participant: Participant, store: ListenStore): Promise<void> => {
  const { io, options, print } = run;
  const { before } = store;
  const resumed = options.restart === true ? null : before;
  const secret = options.secret ?? before?.secret ?? newSecret();
  const listener = new Listener(run, store, { ...(resumed ?? (await firstState(run, participant))), secret });
  listener.save();
  print.note(`Forwarding to ${options.forwardTo}${resumed === null ? "" : ", from where it stopped"}. Ctrl-C stops.`);
  print.note(`Secret: ${secret}`);
  await untilInterrupted(io, (signal) => listener.run(participant, signal));
};

/** What is not to be forwarded: everything, or what was created or resent before `--since`. */
const firstState = async (
  { io, options }: Run<ListenOptions>,
  participant: Participant,
): Promise<Omit<ListenState, "secret">> => {
  const startedMs = io.now().getTime();
  // Resends first: one that comes in between is of a dispatch that is listed.
  const resends = await readResends(participant, {});
  const { dispatches } = await participant.listDispatches();
  const fromMs = options.since === undefined ? Number.POSITIVE_INFINITY : startedMs - options.since;
  const isOld = (at: string): boolean => Date.parse(at) < fromMs;
  const old = dispatches.filter(({ creation_time }) => isOld(creation_time));
  const forwarded = Object.fromEntries(old.map(({ id, modification_number }) => [id, modification_number]));
  const first = { forwarded, watched: null };
  return resends === null
    ? { ...first, resent: null, resendsFromMs: Math.min(fromMs, startedMs) }
    : { ...first, resent: resentBefore(resends, fromMs) };
};
