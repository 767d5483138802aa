/** Requests that were alike, or one with what was wrong. */
export interface LoggedRequests {
  readonly accountId: string;
  readonly keyId: string;
  /** Of several: the beginning of their minute. */
  readonly at: Date;
  readonly method: string;
  /** Of several: the route, with names of ids in braces. */
  readonly path: string;
  readonly status: number;
  /** What was answered; of several, the last; null for success. */
  readonly message: string | null;
  readonly count: number;
  readonly totalMs: number;
  readonly maxMs: number;
  /** Whether it stands for all of its minute that are alike. */
  readonly isSum: boolean;
}

/** Where a list goes on. */
export interface LogPlace {
  readonly at: Date;
  readonly seq: number;
}

export type RequestStatus = "error" | "ok";

export const FIRST_ERROR_STATUS = 400;
export const isError = (status: number): boolean => status >= FIRST_ERROR_STATUS;

/** Of an account and minute; what comes beyond is counted. */
export const MAX_ERRORS_A_MINUTE = 60;
const KEPT_HOURS = 24;
/** What is asked for at the end of its day is still whole. */
const GRACE_MINUTES = 10;

export const minuteOf = (at: Date): number => Math.floor(at.getTime() / 60_000) * 60_000;

/** What lies before may be removed. */
export const keptSince = (now: Date): Date => new Date(now.getTime() - (KEPT_HOURS * 60 + GRACE_MINUTES) * 60_000);

const MAX_MESSAGE = 1000;
const MAX_ID = 64;
const MAX_NAMES = 10;

// API keys and webhook secrets that a client put in an address by mistake.
const SECRET = /ct[ps]_[\w-]{4,}|whsec_[\w+/=-]{4,}/gi;
const withoutSecrets = (text: string): string => text.replaceAll(SECRET, "[secret]").replaceAll("\0", "\ufffd");

/** A message as it is kept. */
export const keptMessage = (message: string): string => withoutSecrets(message).slice(0, MAX_MESSAGE);

/** In place of the route of an address that is none; made-up ones must not fill the log. */
export const UNKNOWN_ROUTE = "/{unknown}";
const MAX_ADDRESS = 200;

/** An address that is none, without the values of its query. */
export const keptAddress = (url: string, queryNames: readonly string[]): string =>
  withNames(decoded(url.split("?", 1)[0] ?? "").slice(0, MAX_ADDRESS), queryNames);

/** A secret is to be found however its characters are written. */
const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path.replaceAll("%", "");
  }
};

/** The route with its ids, and which parameters the query had; never their values. */
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

/** The route as documentation writes it. */
export const shownRoute = (route: string): string => route.replaceAll(/:(\w+)/g, "{$1}");
