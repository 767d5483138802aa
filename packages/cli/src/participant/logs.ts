import { ErrorResponse, isPassing, type LoggedRequests, type Participant } from "@curtail/client";
import { type Command, Option } from "commander";
import { CommandFailure } from "../admin-io.js";
import { harmless, type Style } from "../human-form.js";
import { duration, optionWith } from "../option-values.js";
import { localTime } from "./dispatch-form.js";
import { Outage } from "./outage.js";
import { onRun, participantCommand, plainCommand, type Run, withExamples } from "./participant-call.js";
import { EXIT_REFUSED } from "./participant-failure.js";
import type { ParticipantIo } from "./participant-io.js";
import { newIn, nothingPrinted, readAgainFrom, type Tail } from "./request-tail.js";
import { restAfter } from "./rest.js";
import { untilInterrupted } from "./until-interrupted.js";

interface TailOptions {
  readonly status?: "error" | "ok";
  /** Milliseconds. */
  readonly since: number;
  readonly follow: boolean;
}

export const logsCommand = (io: ParticipantIo): Command => {
  const command = participantCommand(
    io,
    "tail",
    "Print the requests that the service got with any key of the account, and what to do about errors.",
  )
    .addOption(new Option("--status <status>", "Only errors, or only successes.").choices(["error", "ok"]))
    .addOption(
      optionWith("--since <duration>", {
        description: "Begin this long ago; requests are kept for a day.",
        parse: duration,
        standard: "10m",
      }),
    )
    .option("--no-follow", "End after what there is, in place of waiting for new requests. Ctrl-C ends, too.");
  withExamples(
    command,
    "curtail logs tail",
    "curtail logs tail --status error --since 24h --no-follow",
    "curtail logs tail --json | jq 'select(.duration_ms > 1000)'",
  );
  const logs = plainCommand(io, "logs", "Requests of the account, as the service got them.");
  withExamples(logs, "curtail logs tail");
  return logs.addCommand(onRun<TailOptions>(io, command, tail));
};

const tail = async (run: Run<TailOptions>): Promise<void> => {
  const { io, options, print, connect } = run;
  const participant = await connect();
  const first = await firstRead(run, participant);
  const { lines, tail: read } = newIn(first.entries, nothingPrinted);
  const shown = lines.filter(({ at }) => Date.parse(at) >= first.fromMs);
  show(run, shown);
  if (!options.follow) return shown.length === 0 ? print.note("no such requests in this time") : undefined;
  print.note("Waiting for requests. Ctrl-C ends.");
  const following = await connect({ retry: { attempts: 1 } });
  await untilInterrupted(io, (signal) => follow(run, { participant: following, read, signal }));
};

const MINUTE_MS = 60_000;

/** All that the time names, and what is older on the same page: it shows how far the service's clock is. */
const firstRead = async (
  { io, options }: Run<TailOptions>,
  participant: Participant,
): Promise<{ readonly entries: readonly LoggedRequests[]; readonly fromMs: number }> => {
  // Entries of a minute are at its start.
  const fromMs = Math.floor((io.now().getTime() - options.since) / MINUTE_MS) * MINUTE_MS;
  const isBefore = ({ at }: LoggedRequests) => Date.parse(at) < fromMs;
  try {
    return { entries: await pages(participant, { status: options.status }, { until: isBefore }), fromMs };
  } catch (error) {
    if (!(error instanceof ErrorResponse && error.status === 404)) throw error;
    const message = "the service does not show requests to keys; its operator has to upgrade it";
    throw new CommandFailure(message, EXIT_REFUSED, { cause: error });
  }
};

const PAGE = 500;

interface Reading {
  /** Ends after the page that has such an entry. */
  readonly until?: (entry: LoggedRequests) => boolean;
  readonly signal?: AbortSignal;
}

const pages = async (
  participant: Participant,
  { status, since }: { readonly status?: "error" | "ok" | undefined; readonly since?: string | undefined },
  { until = () => false, signal }: Reading,
): Promise<readonly LoggedRequests[]> => {
  const entries: LoggedRequests[] = [];
  const query = { limit: PAGE, ...(status === undefined ? {} : { status }), ...(since === undefined ? {} : { since }) };
  const settings = signal === undefined ? {} : { signal };
  let cursor: string | null = null;
  do {
    const input = cursor === null ? query : { ...query, cursor };
    const page: Awaited<ReturnType<Participant["listRequests"]>> = await participant.listRequests(input, settings);
    entries.push(...page.items);
    cursor = page.items.some(until) ? null : page.next_cursor;
  } while (cursor !== null);
  return entries;
};

const LOOK_MS = 2000;
const LOOK_AFTER_FAILURE_MS = 5000;

interface Following {
  readonly participant: Participant;
  readonly read: Tail;
  readonly signal: AbortSignal;
}

/** Prints what comes, over outages, until it is interrupted or refused. */
const follow = async (run: Run<TailOptions>, { participant, read, signal }: Following): Promise<never> => {
  const { io, options, print, access } = run;
  const outage = new Outage(print, access());
  let known = read;
  for (;;) {
    let restMs = LOOK_MS;
    try {
      const filter = { status: options.status, since: readAgainFrom(known) ?? undefined };
      const { lines, tail: next } = newIn(await pages(participant, filter, { signal }), known);
      outage.ended();
      show(run, lines);
      known = next;
    } catch (error) {
      signal.throwIfAborted();
      if (!isPassing(error)) throw error;
      outage.began(error, "waiting for it");
      restMs = restAfter(LOOK_AFTER_FAILURE_MS, error.retryAfter);
    }
    await io.wait(restMs, signal);
    signal.throwIfAborted();
  }
};

const show = ({ print }: Run<TailOptions>, lines: readonly LoggedRequests[]): void => {
  for (const each of lines) print.line(print.isJson ? JSON.stringify(each) : lineOf(each, print.style));
};

/** `2026-07-01 13:00:00 -05:00  400  POST /2022-04-15/telemetry  1.8 ms  key_…`, and what to do below an error. */
const lineOf = (entry: LoggedRequests, { faint, good, bad }: Style): string => {
  const { at, key_id, method, path, status, duration_ms, error, explanation, count } = entry;
  const answered = (status < 400 ? good : bad)(String(status));
  const times = count === 1 ? "" : `  ×${count}`;
  const about = [error, explanation].filter((each) => each !== null).map((each) => `\n${INDENT}${harmless(each)}`);
  return `${localTime(at)}  ${answered}  ${method} ${harmless(path)}${times}  ${faint(`${duration_ms} ms  ${key_id}`)}${about.join("")}`;
};

const INDENT = " ".repeat(28);
