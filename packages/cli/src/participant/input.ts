/** Longest line that a record of a spool can hold. */
const MAX_LINE_BYTES = 1024 * 1024;
/** What is kept of a longer line, to recognise it. */
const HEAD_CHARACTERS = 1000;

/** Ends with the reason of the signal as soon as it is aborted, though nothing comes. */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, void> {
  const items = source[Symbol.asyncIterator]();
  for (;;) {
    const next = await orAborted(items.next(), signal);
    if (next.done === true) return;
    yield next.value;
  }
}

const orAborted = <T>(waiting: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    void waiting.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });

/** An input of which the beginning was looked at. */
export interface BegunInput {
  readonly isLines: boolean;
  readonly isEmpty: boolean;
  /** All of it, what was looked at included. */
  readonly all: AsyncIterable<Uint8Array>;
}

/**
 * Reads until it is clear what comes: lines of JSON, or a file that has to be read whole.
 *
 * @param onDoubt called when something came that does not decide it
 */
export const begin = async (source: AsyncIterable<Uint8Array>, onDoubt: () => void): Promise<BegunInput> => {
  const chunks = source[Symbol.asyncIterator]();
  const decoder = new TextDecoder();
  const first: Uint8Array[] = [];
  let text = "";
  for (let isOver = false; ; ) {
    const isLines = looksLikeLines(text, isOver);
    if (isLines !== null) {
      const head = Buffer.concat(first);
      return { isLines, isEmpty: isOver && text.trim() === "", all: followedBy(head, chunks) };
    }
    if (text.trim() !== "") onDoubt();
    const next = await chunks.next();
    isOver = next.done === true;
    if (next.done !== true) first.push(next.value);
    text += next.done === true ? decoder.decode() : decoder.decode(next.value, { stream: true });
  }
};

/** A program may say something of its own before its first reading. */
const LOOKED_AT = 100;

/** Whether a beginning is that of NDJSON; null: not clear yet. Only lines of JSON begin with a brace, only XML with a bracket. */
export const looksLikeLines = (text: string, isOver: boolean): boolean | null => {
  const beginning = text.trimStart();
  if (beginning.startsWith("{")) return true;
  if (beginning.startsWith("<")) return false;
  const lines = beginning.split("\n", LOOKED_AT + 1);
  // The last one may go on.
  const whole = isOver ? lines : lines.slice(0, -1);
  if (whole.some(isReading)) return true;
  return isOver || whole.length >= LOOKED_AT ? false : null;
};

const isReading = (line: string): boolean => line.trimStart().startsWith("{") && objectOf(line) !== null;

/** The object of a line; null if it is none. */
export const objectOf = (line: string): object | null => {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
};

async function* followedBy(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  yield head;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

export const wholeOf = async (input: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of input) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** The lines of each piece that comes, without blank ones. Of a line that is too long, its beginning. */
export async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[], void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of input) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    // One character too many marks a line that is too long, however long it becomes.
    rest = (lines.pop() ?? "").slice(0, MAX_LINE_BYTES + 1);
    yield lines.flatMap(kept);
  }
  yield kept(rest + decoder.decode());
}

const kept = (line: string): readonly string[] => {
  const text = line.trim();
  if (text === "") return [];
  return [Buffer.byteLength(text) <= MAX_LINE_BYTES ? text : text.slice(0, HEAD_CHARACTERS)];
};
