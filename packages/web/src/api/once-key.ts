/** Longest time after which a user may repeat a request by hand. */
const REMEMBERED_MS = 10 * 60_000;

interface Open {
  readonly key: string;
  readonly untilMs: number;
}

/** Keys of requests whose outcome is unknown, by the request. */
const open = new Map<string, Open>();

/** The Idempotency-Key of a request. If the response was lost, the retry gets the same key. */
export const keyOf = (request: string): string => {
  const known = open.get(request);
  if (known !== undefined && known.untilMs > Date.now()) return known.key;
  const key = newKey();
  open.set(request, { key, untilMs: Date.now() + REMEMBERED_MS });
  return key;
};

/** After a conclusive response, an identical request is a new one. */
export const noteAnswer = (request: string, status: number): void => {
  if (isConclusive(status)) open.delete(request);
};

const CONFLICT = 409;

/** Whether the outcome of a request is known; 0 means no response. */
export const isConclusive = (status: number): boolean => status > 0 && status < 500 && status !== CONFLICT;

/** `randomUUID` is not available over plain HTTP. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
