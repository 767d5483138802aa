/** The usual five attempts of a client wait for 24 s or longer: failovers took up to 22 (decision 128). */
export const AWAY_RETRY_SECONDS = 6;

/** Classes and codes of PostgreSQL that say nothing about the statement, only that the database does not serve now. */
const AWAY_CODES = [
  // Connection failures, and too many connections.
  /^08/,
  /^53/,
  // Shutting down, crashed, starting, or out of time.
  /^57P0[123]$/,
  /^57014$/,
  // A standby, during a failover.
  /^25006$/,
  // The database does not accept connections.
  /^55000$/,
];

/** Of a connection; files have errors of the same names. */
const CONNECTION_CALLS = new Set(["connect", "read", "write", "getaddrinfo"]);

/** What `pg` says without a code. */
const AWAY_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/;

/** Whether a failure means that the database cannot be reached, so that the same request may succeed soon. */
export const isDatabaseAway = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (typeof syscall === "string") return CONNECTION_CALLS.has(syscall);
  return typeof code === "string"
    ? AWAY_CODES.some((pattern) => pattern.test(code))
    : AWAY_MESSAGES.test(error.message);
};
