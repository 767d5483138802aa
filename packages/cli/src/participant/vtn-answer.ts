/** An answer that was read to its end. */
export interface VtnAnswer {
  readonly status: number;
  readonly isOk: boolean;
  /** Undefined if it is no JSON. */
  readonly body: unknown;
  /** As `Retry-After` asks; null if it does not, or names a date. */
  readonly retryAfterSeconds: number | null;
}

/** A page of 50 events of 2 MB each, which hold the hourly prices of a year. */
const MOST_BYTES = 100_000_000;

/** Reads an answer; throws if its body ends early, or has no end. */
export const answerOf = async (response: Response, mostBytes = MOST_BYTES): Promise<VtnAnswer> => {
  const { status, ok, headers } = response;
  const after = headers.get("retry-after")?.trim() ?? "";
  const body = parsed(await textOf(response, mostBytes));
  return { status, isOk: ok, body, retryAfterSeconds: /^\d{1,9}$/.test(after) ? Number(after) : null };
};

const textOf = async ({ body }: Response, mostBytes: number): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new Error(`its answer is longer than ${mostBytes / 1_000_000} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const isObject = (body: unknown): body is Readonly<Record<string, unknown>> =>
  typeof body === "object" && body !== null && !Array.isArray(body);

/** Problems of OpenADR 3.1 may leave out any member; gateways that answer JSON have others. */
export const isProblem = (body: unknown): boolean =>
  isObject(body) &&
  (body["status"] === 404 || ["type", "title", "detail"].some((member) => typeof body[member] === "string"));

/** Of a problem, or of an error of OAuth 2. */
export const wordsOf = (body: unknown): string => {
  const { detail, error_description, title, error } = isObject(body) ? body : {};
  const words = [detail, error_description, title, error].find((each): each is string => typeof each === "string");
  return (words ?? "no reason given").slice(0, 500);
};
