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
  /** What came first, up to the first character that is not blank. */
  readonly head: Uint8Array;
  /** All of it, the head included. */
  readonly all: AsyncIterable<Uint8Array>;
}

export const begin = async (source: AsyncIterable<Uint8Array>): Promise<BegunInput> => {
  const chunks = source[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  const isBlank = () => new TextDecoder().decode(Buffer.concat(first)).trim() === "";
  let isOver = false;
  while (!isOver && isBlank()) {
    const next = await chunks.next();
    isOver = next.done === true;
    if (next.done !== true) first.push(next.value);
  }
  const head = Buffer.concat(first);
  return { head, all: followedBy(head, chunks) };
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
