import { basePaths, type CallByPath, callByPath, ErrorResponse, NoResponse } from "@curtail/client";
import type { auth, Endpoint, operator, participantConsole } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { FieldError, type MemberFault } from "../ui/fault.js";
import { connection } from "../ui/use-connected.js";
import { memberFaults } from "./fault-words.js";
import { keyOf, noteAnswer } from "./once-key.js";
import { loadRefusals } from "./refusal-words.js";

/** An error response of the service; `message` may be shown to users. */
export class ApiError extends FieldError {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
    this.name = "ApiError";
  }

  get faults(): readonly MemberFault[] {
    return memberFaults(this.message);
  }
}

/** No response, or a proxy's error while the service is down. */
const NOT_CONNECTED: ReadonlySet<number> = new Set([0, 502, 503, 504]);

export const isNotConnected = (error: unknown): boolean => error instanceof ApiError && NOT_CONNECTED.has(error.status);

export type OperatorEndpoint = (typeof operator.operatorEndpoints)[number];
export type ConsoleEndpoint = (typeof participantConsole.consoleEndpoints)[number];
export type AuthEndpoint = (typeof auth.authEndpoints)[number];

export const AUTH = basePaths.auth;
export const OPERATOR = basePaths.operator;
export const CONSOLE = basePaths.console;

/** Calls the interface below a base path. The contract types input and reply by method and path. */
const callerOf = <All extends Endpoint>(base: string): CallByPath<All> => {
  const call = callByPath<All>({ baseUrl: base });
  return (method, path, input) => {
    const request = JSON.stringify([base, path, input]);
    return sent({ request, isRead: method === "GET" }, () => {
      // Prevents duplicates after a double click or a retry.
      const headers = method === "POST" ? { "idempotency-key": keyOf(request) } : {};
      return call(method, path, { ...input, headers });
    });
  };
};

interface Sending {
  /** The same for the same request. */
  readonly request: string;
  readonly isRead: boolean;
}

const sent = async <Reply>(sending: Sending, send: () => Promise<Reply>): Promise<Reply> => {
  const { request, isRead } = sending;
  try {
    const reply = await send();
    answered(request, 200);
    return reply;
  } catch (error) {
    if (error instanceof NoResponse) throw notConnected(0);
    if (!(error instanceof ErrorResponse)) throw error;
    answered(request, error.status);
    if (NOT_CONNECTED.has(error.status)) throw notConnected(error.status);
    if (error.status !== 202) throw await refusalOf(error, isRead);
    // Not computed yet, for example the results of a large dispatch.
    await new Promise((resolve) => setTimeout(resolve, (error.retryAfter ?? 5) * 1000));
    return sent(sending, send);
  }
};

/** Once the words to say it are loaded. Whoever reads without being signed in is led to the sign-in, and shown no refusal. */
const refusalOf = async (error: ErrorResponse, isRead: boolean): Promise<ApiError> => {
  if (!(isRead && error.status === 401)) await loadRefusals();
  return new ApiError(error.status, error.reason ?? statusWords(error));
};

const answered = (request: string, status: number): void => {
  noteAnswer(request, status);
  if (!NOT_CONNECTED.has(status)) connection.back();
};

const notConnected = (status: number): ApiError => {
  connection.lost();
  return new ApiError(status, say("Not connected to the service. Check the connection and try again."));
};

const statusWords = ({ status, statusText }: ErrorResponse): string =>
  say("The service responded with {status}.", { status: `${status} ${statusText}` });

export const callOperator = callerOf<OperatorEndpoint>(basePaths.operator);
export const callConsole = callerOf<ConsoleEndpoint>(basePaths.console);
export const callAuth = callerOf<AuthEndpoint>(basePaths.auth);
