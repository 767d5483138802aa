import type { Endpoint } from "./call-input.js";

/** Method and path of an endpoint, with parameters in braces. @internal */
export type Address = Pick<Endpoint, "method" | "path">;

/** The service could not be reached, or the connection ended before the reply was complete; see `cause`. */
export class NoResponse extends Error {
  /** There is none. */
  readonly status = null;
  /** In place of the name of a status. */
  readonly type = "No Response";
  /** There is none. */
  readonly retryAfter = null;

  /** @internal */
  constructor(message: string, options: ErrorOptions) {
    super(message, options);
    this.name = "NoResponse";
  }
}

/**
 * The response to a call was not the reply that the contract defines for a success.
 *
 * @example
 * if (error instanceof ErrorResponse && error.status === 404) forget(id);
 */
export class ErrorResponse extends Error {
  /** HTTP status. 202: the result is being prepared, ask again after `retryAfter`. */
  readonly status: number;
  /** Name of the status, as the connection gave it. */
  readonly statusText: string;
  /** The service's own message, suitable for display; null if something else responded. */
  readonly reason: string | null;
  /** Name of the HTTP status from the body of the error (`ErrorBody`); null if there is none. */
  readonly type: string | null;
  /** Seconds of Retry-After; null if the header is missing or holds a date. */
  readonly retryAfter: number | null;
  /** Target of a redirect that was not followed. */
  readonly location: string | null;

  /** @internal */
  constructor({ method, path }: Address, { status, statusText, headers }: Response, text: string) {
    const body = parsed(text);
    const reason = textOf(body["message"]);
    super(`${method} ${path} returned ${status}: ${reason ?? text}`);
    this.name = "ErrorResponse";
    this.status = status;
    this.statusText = statusText;
    this.reason = reason;
    this.type = textOf(body["type"]);
    this.retryAfter = secondsOf(headers.get("retry-after"));
    this.location = headers.get("location");
  }
}

/**
 * Converts a response that is not a success, as `send` returns it.
 *
 * @internal
 * @throws NoResponse if the connection ends before the body does
 */
export const errorResponse = async (endpoint: Address, response: Response): Promise<ErrorResponse> =>
  new ErrorResponse(endpoint, response, await bodyText(endpoint, response));

/** The whole body; throws `NoResponse` if the connection ends before that. */
export const bodyText = async ({ method, path }: Address, response: Response): Promise<string> => {
  try {
    return await response.text();
  } catch (cause) {
    throw new NoResponse(`${method} ${path}: the response broke off`, { cause });
  }
};

const parsed = (text: string): Readonly<Record<string, unknown>> => {
  try {
    return (JSON.parse(text) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
};

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

const secondsOf = (value: string | null): number | null => {
  const seconds = Number(value ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
};
