/** How long it may take until a request is sent again by hand. */
const REMEMBERED_MS = 10 * 60_000;

interface Open {
  readonly key: string;
  readonly untilMs: number;
}

/** Requests by what they ask, as long as it is not known how they went. */
const open = new Map<string, Open>();

/** The Idempotency-Key of a request; one whose answer was lost is sent again with the key that it had. */
export const keyOf = (request: string): string => {
  const known = open.get(request);
  if (known !== undefined && known.untilMs > Date.now()) return known.key;
  const key = newKey();
  open.set(request, { key, untilMs: Date.now() + REMEMBERED_MS });
  return key;
};

/** After an answer that says how it went, the same request asks for another thing. */
export const noteAnswer = (request: string, status: number): void => {
  if (isConclusive(status)) open.delete(request);
};

const CONFLICT = 409;

/** Whether it is known what became of a request; 0 stands for no answer. */
export const isConclusive = (status: number): boolean => status > 0 && status < 500 && status !== CONFLICT;

/** Pages over plain HTTP have no `randomUUID`. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
