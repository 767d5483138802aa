import type {
  auth,
  BodyOf,
  Endpoint,
  operator,
  ParamsOf,
  participantConsole,
  QueryOf,
  ReplyOf,
} from "@curtail/contract";
import { FieldError, type MemberFault } from "../ui/fault.js";
import { connection } from "../ui/use-connected.js";
import { memberFaults } from "./fault-words.js";
import { keyOf, noteAnswer } from "./once-key.js";

/** What the service answered instead of a success; `message` is made to be shown. */
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

/** Nothing was answered, or only what stands before a service that is away. */
const NOT_CONNECTED: ReadonlySet<number> = new Set([0, 502, 503, 504]);

export const isNotConnected = (error: unknown): boolean => error instanceof ApiError && NOT_CONNECTED.has(error.status);

type Part<Name extends string, T> = T extends undefined ? unknown : { readonly [K in Name]: T };
/** Everything of a query may be left out. */
type QueryPart<T> = T extends undefined ? unknown : { readonly query?: T };
export type InputOf<E extends Endpoint> = Part<"params", ParamsOf<E>> & QueryPart<QueryOf<E>> & Part<"body", BodyOf<E>>;

type Method<All extends Endpoint> = All["method"];
export type PathOf<All extends Endpoint, M> = Extract<All, { method: M }>["path"];
export type At<All extends Endpoint, M, P> = Extract<All, { method: M; path: P }>;

/** Any call's input, as far as sending it goes. */
interface Sent {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** An interface below a base path, typed by the contract: method and path decide on input and reply. */
const callerOf =
  <All extends Endpoint>(base: string) =>
  async <M extends Method<All>, P extends PathOf<All, M>>(
    method: M,
    path: P,
    input: InputOf<At<All, M, P>>,
  ): Promise<ReplyOf<At<All, M, P>>> =>
    (await send(method, base + addressOf(path, input as Sent), (input as Sent).body)) as ReplyOf<At<All, M, P>>;

export type OperatorEndpoint = (typeof operator.operatorEndpoints)[number];
export type ConsoleEndpoint = (typeof participantConsole.consoleEndpoints)[number];
export type AuthEndpoint = (typeof auth.authEndpoints)[number];

export const OPERATOR = "/operator/v1";
export const CONSOLE = "/console/v1";
const AUTH = "/auth";

export const callOperator = callerOf<OperatorEndpoint>(OPERATOR);
export const callConsole = callerOf<ConsoleEndpoint>(CONSOLE);
export const callAuth = callerOf<AuthEndpoint>(AUTH);

/** The path with its parameters filled in, and the query. */
export const addressOf = (path: string, { params = {}, query = {} }: Sent): string => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined) search.append(name, String(each));
  }
  return search.size === 0 ? filled : `${filled}?${search}`;
};

const send = async (method: string, address: string, body: unknown): Promise<unknown> => {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const request = `${address} ${text}`;
  const headers = {
    accept: "application/json",
    ...(text === undefined ? {} : { "content-type": "application/json" }),
    // A second click, or another try after a lost answer, makes nothing twice.
    ...(method === "POST" ? { "idempotency-key": keyOf(request) } : {}),
  };
  const init = text === undefined ? { method, headers } : { method, headers, body: text };
  const response = await fetch(address, init).catch(() => null);
  if (response !== null) noteAnswer(request, response.status);
  if (response === null || NOT_CONNECTED.has(response.status)) {
    connection.lost();
    throw new ApiError(response?.status ?? 0, "Not connected to the service. Check the connection and try again.");
  }
  connection.back();
  if (response.status === 204) return undefined;
  if (response.status === 202) return askAgain(method, address, response);
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw new ApiError(response.status, messageOf(answer, response));
  return answer;
};

/** Not there yet, like the numbers of a large dispatch that nobody followed. */
const askAgain = async (method: string, address: string, { headers }: Response): Promise<unknown> => {
  await new Promise((resolve) => setTimeout(resolve, Number(headers.get("retry-after") ?? 5) * 1000));
  return send(method, address, undefined);
};

const messageOf = (answer: unknown, { status, statusText }: Response): string => {
  const message = (answer as { message?: unknown } | null)?.message;
  return typeof message === "string" ? message : `The service responded with ${status} ${statusText}.`;
};
