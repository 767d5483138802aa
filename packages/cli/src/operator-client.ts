import { readFileSync } from "node:fs";
import {
  type CallInput,
  type Client,
  type ErrorResponse,
  errorResponse,
  type InputArguments,
  NoResponse,
  operatorClient,
} from "@curtail/client";
import type { Endpoint, ReplyOf } from "@curtail/contract";
import { type AdminIo, type AdminSettings, CommandFailure, messageOf, usageFault } from "./admin-io.js";
import { harmless } from "./human-form.js";

/** Options of every `curtail admin` command. */
export interface GlobalOptions {
  readonly url?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly json?: true;
}

/** The address and credentials of the service. */
export interface Connection {
  /** Address of the operator API, without a trailing slash. */
  readonly url: string;
  /** Address of the participants' interface; differs if operators have their own port. */
  readonly participantsUrl: string;
  readonly token: string;
  readonly settings: AdminSettings;
}

export type Query = Readonly<Record<string, string | number | undefined>>;

export interface Request {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Query;
  readonly body?: unknown;
}

/** The service's answer, as text and parsed. */
export interface Answer<T> {
  readonly text: string;
  readonly reply: T;
}

/** The same as the service's own limit for a request. */
const REQUEST_TIMEOUT_MS = 60_000;
/** A file takes a minute at most to be sent, waits for others, and is then worked on. */
const FILE_TIMEOUT_MS = 420_000;
const DOWNLOAD_TIMEOUT_MS = 3_600_000;

export const connectionOf = (io: AdminIo, { url, token, tokenFile }: GlobalOptions): Connection => {
  const settings = settingsOf(io);
  const found = token ?? settings.operatorToken ?? (tokenFile === undefined ? null : readSecret(tokenFile));
  if (found === null) {
    throw usageFault("no operator token: set CURTAIL_OPERATOR_TOKEN or use --token-file FILE");
  }
  const participantsUrl = url ?? settings.publicUrl ?? localUrl(settings.port);
  return { url: url ?? operatorUrl(settings) ?? participantsUrl, participantsUrl, token: found, settings };
};

const localUrl = (port: number): string => `http://127.0.0.1:${port}`;

const operatorUrl = ({ operatorPublicUrl, operatorPort }: AdminSettings): string | null =>
  operatorPublicUrl ?? (operatorPort === null ? null : localUrl(operatorPort));

const settingsOf = (io: AdminIo): AdminSettings => {
  const read = io.readSettings();
  if ("faults" in read) throw usageFault(read.faults.join("\n"));
  return read.settings;
};

/** The first line of a file that holds a secret. */
export const readSecret = (file: string): string => {
  const text = readText(file).split("\n", 1)[0]?.trim() ?? "";
  if (!/^[\x21-\x7e]+$/.test(text)) throw new CommandFailure(`${file} must contain only the secret, on its first line`);
  return text;
};

const readText = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new CommandFailure(`${file} cannot be read: ${messageOf(error)}`, undefined, { cause: error });
  }
};

/** Calls one operation of the operator API; throws an CommandFailure unless it succeeds. */
export const callOperator = async <E extends Endpoint>(
  connection: Pick<Connection, "url" | "token">,
  endpoint: E,
  ...input: InputArguments<E>
): Promise<Answer<ReplyOf<E>>> => {
  const { url } = connection;
  const timeoutMs = endpoint.takes === undefined ? REQUEST_TIMEOUT_MS : FILE_TIMEOUT_MS;
  const response = await reached(url, clientOf(connection, timeoutMs).send(endpoint, ...input));
  if (response.status !== (endpoint.status ?? 200)) throw await refused(url, endpoint, response);
  const text = await response.text();
  return { text, reply: (text === "" ? undefined : readJson(url, text)) as ReplyOf<E> };
};

/** Calls an operation that returns a file, and streams it to the output. */
export const downloadTo = async (
  write: (piece: Uint8Array) => void,
  connection: Pick<Connection, "url" | "token">,
  endpoint: Endpoint,
  request: Request,
): Promise<void> => {
  const response = await reached(connection.url, clientOf(connection, DOWNLOAD_TIMEOUT_MS).send(endpoint, request));
  if (response.status !== 200) throw await refused(connection.url, endpoint, response);
  try {
    for await (const piece of response.body ?? []) write(piece);
  } catch (error) {
    const message = `the download was interrupted (${messageOf(error)}) and the file is incomplete; try again`;
    throw new CommandFailure(message, undefined, { cause: error });
  }
};

/** For every client here; the token is meant for one address. */
export const clientSettings = { timeoutMs: REQUEST_TIMEOUT_MS, redirect: "manual" } as const;

const clientOf = ({ url, token }: Pick<Connection, "url" | "token">, timeoutMs: number): Client =>
  operatorClient({ ...clientSettings, url, token, timeoutMs });

/** Every item of a list of the operator API, page by page. */
export async function* everyPage<E extends Endpoint>(
  connection: Connection,
  endpoint: E,
  ...[input]: InputArguments<E>
): AsyncGenerator<readonly PageItem<E>[]> {
  const { params, query = {} } = (input ?? {}) as Request;
  let { cursor } = query;
  do {
    const next: unknown = { params, query: { ...query, cursor } };
    const { reply } = await callOperator<E>(connection, endpoint, next as CallInput<E>);
    const page = reply as OperatorPage<PageItem<E>>;
    yield page.items;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

export interface OperatorPage<T> {
  readonly items: readonly T[];
  readonly next_cursor: string | null;
}

type PageItem<E extends Endpoint> = ReplyOf<E> extends { items: Array<infer T> } ? T : never;

/** Throws an CommandFailure if there is no response. */
export const reached = async <T>(url: string, sent: Promise<T>): Promise<T> => {
  try {
    return await sent;
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
    throw new CommandFailure(unreachable(url, error.cause), undefined, { cause: error });
  }
};

const unreachable = (url: string, error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const why = (cause as { code?: string }).code ?? messageOf(cause);
  return `no service answers at ${harmless(url)} (${why}); start it with \`curtail serve\`, or set its address with --url or CURTAIL_PUBLIC_URL`;
};

const refused = async (url: string, endpoint: Endpoint, response: Response): Promise<CommandFailure> =>
  new CommandFailure(refusal(url, await reached(url, errorResponse(endpoint, response))));

/** The service's own message, if there is one. */
export const refusal = (url: string, failure: ErrorResponse): string => {
  const { status, location } = failure;
  if (location !== null) return `${url} redirects to ${harmless(location)}; set the service's own address with --url`;
  const reason = reasonOf(failure);
  if (reason === null) return `${url} responded with ${status}, which is not a response of this service; check --url`;
  return status === 401
    ? `${reason} The token is taken from --token, then CURTAIL_OPERATOR_TOKEN, then --token-file.`
    : reason;
};

/** Without characters that control the terminal. */
export const reasonOf = ({ reason }: ErrorResponse): string | null => (reason === null ? null : harmless(reason));

const readJson = (url: string, text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandFailure(`${url} did not respond with JSON; check --url`, undefined, { cause: error });
  }
};
