import { type AnyInput, pathParameters } from "./call-input.js";
import { type ClientOptions, fileOf, replyTo } from "./client.js";
import { type Clock, systemClock } from "./clock.js";
import { type ParticipantAccess, participantOptions } from "./interfaces.js";
import type { OnceOptions, Operation, StreamSettings } from "./operation.js";
import { type ParticipantOperations, participantOperations } from "./participant-operations.js";
import { defaultRetry, type RetryPolicy, retrying } from "./retry.js";

/** How a participant is connected. */
export interface ParticipantSettings extends ParticipantAccess {
  /** How calls are repeated, where it differs from the default; `{ attempts: 1 }` never repeats. */
  readonly retry?: Partial<RetryPolicy>;
  /** Replaces the system's time and waits. */
  readonly clock?: Clock;
  /** Replaces `Math.random`: at least 0, below 1. */
  readonly random?: () => number;
}

/** The participants' interface of a service, with one method for each operation. */
export interface Participant extends ParticipantOperations {
  /** The time that the functions which take a participant go by. */
  readonly clock: Clock;
  /** What they spread their waits by: at least 0, below 1. */
  readonly random: () => number;
}

const TIMEOUT_MS = 60_000;

/**
 * Connects to the participants' interface of a service or its sandbox.
 *
 * Calls are repeated with growing random delays after 429, after faults of the service and of the network; the last two
 * only if repeating does no harm. Each attempt takes at most `timeoutMs`, 60 seconds by default; a file or a stream takes
 * any time unless its call has a `timeoutMs`.
 *
 * Methods throw `ErrorResponse` for a response that is not a success, `NoResponse` if there is none, and the reason of
 * an aborted signal.
 *
 * @example
 * const participant = createParticipant({ url: "https://curtail.example.com", key });
 * const { sites } = await participant.listSites();
 */
export const createParticipant = (settings: ParticipantSettings): Participant => {
  const { clock = systemClock, random = Math.random } = settings;
  // One for all operations: they share what is known of the service.
  const access = participantOptions(settings);
  const entries = Object.entries(participantOperations).map(([id, operation]) => [
    id,
    methodOf(settings, access, operation),
  ]);
  return { ...(Object.fromEntries(entries) as ParticipantOperations), clock, random };
};

type Input = Readonly<Record<string, unknown>>;
type Settings = OnceOptions & StreamSettings;
type Method = (...args: readonly [Input, Settings?] | readonly [Settings?]) => Promise<unknown>;

const methodOf = (settings: ParticipantSettings, access: ClientOptions, operation: Operation): Method => {
  const { clock = systemClock, random = Math.random } = settings;
  return (...args) => {
    const [input, { signal, timeoutMs, retry, ...more }] = argumentsOf(operation, args);
    const options = optionsOf(access, operation, timeoutMs);
    const call: AnyInput = {
      ...partsOf(operation, input),
      headers: headersOf(operation, more),
      ...(signal === undefined ? {} : { signal }),
    };
    const attempt = () =>
      operation.isFile === true ? fileOf(options, operation, call) : replyTo(options, operation, call);
    const isRepeatable = operation.isRepeatable === true;
    const policy = { ...defaultRetry, ...settings.retry, ...retry };
    return retrying<unknown>(attempt, { isRepeatable, policy, clock, random, signal });
  };
};

const argumentsOf = ({ isBare }: Operation, args: readonly unknown[]): [Input, Settings] => {
  const [first, second] = isBare === true ? [{}, args[0]] : args;
  return [(first ?? {}) as Input, second ?? {}];
};

const headersOf = (
  { isOnce }: Operation,
  { idempotencyKey, lastEventId = "" }: Pick<Settings, "idempotencyKey" | "lastEventId">,
): Readonly<Record<string, string>> => ({
  ...(isOnce === true ? { "idempotency-key": idempotencyKey ?? crypto.randomUUID() } : {}),
  ...(lastEventId === "" ? {} : { "last-event-id": lastEventId }),
});

/** Files and streams may take any time, unless the call has a limit. */
const optionsOf = (access: ClientOptions, { isFile }: Operation, timeoutMs?: number): ClientOptions => {
  const { timeoutMs: usual = TIMEOUT_MS, ...options } = access;
  const limit = timeoutMs ?? (isFile === true ? undefined : usual);
  return limit === undefined ? options : { ...options, timeoutMs: limit };
};

/** Members that the path does not name go to the body of a POST, and to the query of others. */
const partsOf = ({ method, path }: Operation, input: Input): AnyInput => {
  const names = pathParameters(path);
  const params = Object.fromEntries(names.map((name) => [name, String(input[name])]));
  const rest = Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)));
  return method === "POST" ? { params, body: rest } : { params, query: rest };
};
