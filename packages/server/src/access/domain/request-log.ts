/** A group of similar requests, or one request with its error. */
export interface LoggedRequests {
  readonly accountId: string;
  readonly keyId: string;
  /** For a group: the start of its minute. */
  readonly at: Date;
  readonly method: string;
  /** For a group: the route, with the names of ids in braces. */
  readonly path: string;
  readonly status: number;
  /** The error message, of a group the last one; null for success. */
  readonly message: string | null;
  readonly count: number;
  readonly totalMs: number;
  readonly maxMs: number;
  /** Whether it stands for all similar requests of its minute. */
  readonly isSum: boolean;
}

/** Position at which the next page of a list starts. */
export interface LogPlace {
  readonly at: Date;
  readonly seq: number;
}

export type RequestStatus = "error" | "ok";

export const FIRST_ERROR_STATUS = 400;
export const isError = (status: number): boolean => status >= FIRST_ERROR_STATUS;

/** Limit per account and minute; further errors are only counted. */
export const MAX_ERRORS_A_MINUTE = 60;
const KEPT_HOURS = 24;
/** So that a request for a full day at its end is still answered in full. */
const GRACE_MINUTES = 10;

export const minuteOf = (at: Date): number => Math.floor(at.getTime() / 60_000) * 60_000;

/** Entries before this may be removed. */
export const keptSince = (now: Date): Date => new Date(now.getTime() - (KEPT_HOURS * 60 + GRACE_MINUTES) * 60_000);

const MAX_MESSAGE = 1000;
const MAX_ID = 64;
const MAX_NAMES = 10;

// API keys and webhook secrets that a client put into a URL by mistake.
const SECRET = /ct[ops]_[\w-]{4,}|whsec_[\w+/=-]{4,}/gi;
const withoutSecrets = (text: string): string => text.replaceAll(SECRET, "[secret]").replaceAll("\0", "\ufffd");

/** A message without secrets, as it is stored. */
export const keptMessage = (message: string): string => withoutSecrets(message).slice(0, MAX_MESSAGE);

/** The route of addresses that do not exist; made-up ones must not fill the log. */
export const UNKNOWN_ROUTE = "/{unknown}";
const MAX_ADDRESS = 200;

/** An address that does not exist, without the values of its query. */
export const keptAddress = (url: string, queryNames: readonly string[]): string =>
  withNames(decoded(url.split("?", 1)[0] ?? "").slice(0, MAX_ADDRESS), queryNames);

/** Decodes it, to find secrets however they are written. */
const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path.replaceAll("%", "");
  }
};

/** The route with its ids and the names of query parameters; never their values. */
export const keptPath = (
  route: string,
  ids: Readonly<Record<string, string>>,
  queryNames: readonly string[],
): string => {
  const path = route.replaceAll(/:(\w+)/g, (_, name: string) => (ids[name] ?? "").slice(0, MAX_ID));
  return withNames(path, queryNames);
};

const withNames = (path: string, queryNames: readonly string[]): string => {
  const names = [...new Set(queryNames)].slice(0, MAX_NAMES).map((name) => name.slice(0, MAX_ID));
  return withoutSecrets(names.length === 0 ? path : `${path}?${names.join("&")}`);
};

/** The route in the notation of the documentation. */
export const shownRoute = (route: string): string => route.replaceAll(/:(\w+)/g, "{$1}");
