import { type AnyInput, type Endpoint, type InputArguments, type ReplyOf, requestPath } from "./call-input.js";
import { type Compression, type SendBody, sendCompressed } from "./compression.js";
import { type Address, bodyText, ErrorResponse, errorResponse, NoResponse } from "./failure.js";

/** How requests are sent. */
export interface ClientSettings {
  /** Time until a reply must be complete, in milliseconds. Default: no limit; 60,000 for `createParticipant`. */
  readonly timeoutMs?: number;
  /** `manual`: a redirect is an `ErrorResponse` with a `location`, and credentials stay with this address. Default: `follow`. */
  readonly redirect?: "follow" | "manual";
  /** Replaces the global `fetch`, for example to go through a proxy. */
  readonly fetch?: typeof fetch;
}

/** Where requests are sent, and how. @internal */
export interface ClientOptions extends ClientSettings {
  /** Address of an interface, without a trailing slash: `https://curtail.example.com/operator/v1`. */
  readonly baseUrl: string;
  /** Sent with every request, for example credentials. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Compresses bodies where the service allows it. Default: none is compressed. */
  readonly compression?: Compression;
}

/** Calls the endpoints of one interface of a service. @internal */
export interface Client {
  /**
   * Sends a request and returns the reply; undefined if the contract defines none.
   *
   * @throws ErrorResponse for any other response, also for 202
   * @throws NoResponse if there is none
   * @example await client.call(operator.getAnyDispatch, { params: { id } })
   */
  readonly call: <E extends Endpoint>(endpoint: E, ...input: InputArguments<E>) => Promise<ReplyOf<E>>;
  /**
   * Sends a request and returns the response whatever its status, for files, streams and redirects.
   *
   * @throws NoResponse if there is none
   */
  readonly send: <E extends Endpoint>(endpoint: E, ...input: InputArguments<E>) => Promise<Response>;
}

/** A client of one interface of a service. @internal */
export const createClient = (options: ClientOptions): Client => ({
  send: (endpoint, ...[input]) => send(options, endpoint, input ?? {}),
  call: async <E extends Endpoint>(endpoint: E, ...[input]: InputArguments<E>) =>
    (await replyTo(options, endpoint, input ?? {})) as ReplyOf<E>,
});

/** The reply of a success; throws for everything else. */
export const replyTo = async (options: ClientOptions, endpoint: Address, input: AnyInput): Promise<unknown> => {
  const headers = { accept: "application/json", ...input.headers };
  const response = await fileOf(options, endpoint, { ...input, headers });
  const text = await bodyText(endpoint, response);
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new ErrorResponse(endpoint, response, text);
  }
};

/** The response of a success, of which the body is not read yet; throws for everything else. */
export const fileOf = async (options: ClientOptions, endpoint: Address, input: AnyInput): Promise<Response> => {
  const response = await send(options, endpoint, input);
  if (!response.ok || response.status === 202) throw await errorResponse(endpoint, response);
  return response;
};

const send = async (options: ClientOptions, { method, path }: Address, input: AnyInput): Promise<Response> => {
  const { baseUrl, headers, redirect = "follow", fetch: fetchWith = fetch, compression } = options;
  const { body, headers: more } = input;
  const isJson = body !== undefined && !isFile(body);
  const content = isJson ? JSON.stringify(body) : body;
  const signal = signalOf(options, input);
  const sendBody: SendBody = (sent, encoding) =>
    fetchWith(baseUrl + requestPath(path, input), {
      method,
      redirect,
      headers: { ...(isJson && { "content-type": "application/json" }), ...headers, ...more, ...encoding },
      body: sent ?? null,
      signal,
    });
  try {
    if (compression === undefined || typeof content !== "string") return await sendBody(content);
    return await sendCompressed(compression, path, content, sendBody);
  } catch (cause) {
    throw new NoResponse(`${method} ${path}: no response from ${baseUrl}`, { cause });
  }
};

/** Files are sent as they are; every other body is an object or a list. */
const isFile = (body: unknown): body is string | Blob => typeof body === "string" || body instanceof Blob;

const signalOf = ({ timeoutMs }: ClientOptions, { signal }: AnyInput): AbortSignal =>
  AbortSignal.any([signal ?? [], timeoutMs === undefined ? [] : AbortSignal.timeout(timeoutMs)].flat());
