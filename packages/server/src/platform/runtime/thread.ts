import { readFileSync } from "node:fs";
import { setPriority } from "node:os";
import { Worker } from "node:worker_threads";

/** What a piece of work may use. */
export interface ThreadBudget {
  readonly cpuMs: number;
  /** Of the heap of JavaScript. */
  readonly heapMb: number;
}

export interface ThreadWork {
  /** Module that the thread runs: it takes `{ data }`, the pieces and then null as messages, and sends `{ value }`. */
  readonly module: string;
  readonly data: unknown;
  /** Emptied as they are handed over. */
  readonly pieces: Buffer[];
  readonly budget: ThreadBudget;
  /** Ends the thread. */
  readonly signal: AbortSignal;
}

export type ThreadResult<T> = { readonly value: T } | { readonly exceeded: keyof ThreadBudget };

type Message<T> = { readonly value: T } | { readonly thread: number };

const LOOK_MS = 100;
const OUT_OF_MEMORY = "ERR_WORKER_OUT_OF_MEMORY";
/** Loading its module takes a thread longer than short work, of which there is often more: a preview, then the import. */
const KEPT_MS = 10_000;
/** A thread that was given more has a large heap, and is not kept. */
const SHORT_BYTES = 1_000_000;

/** Runs work in a thread, within its budget and until its signal; then it throws the signal's reason. */
export const runInThread = async <T>(work: ThreadWork): Promise<ThreadResult<T>> => {
  work.signal.throwIfAborted();
  const thread = takeKept(work) ?? new Thread(work);
  const result = await thread.run<T>(work).catch(async (error: unknown) => {
    await thread.end();
    throw error;
  });
  if ("value" in result && thread.isSmall) keep(thread, work);
  else await thread.end();
  return result;
};

const kept = new Map<string, { readonly thread: Thread; readonly timer: NodeJS.Timeout }>();

const keyOf = ({ module, budget }: ThreadWork): string => `${budget.heapMb} ${module}`;

const takeKept = (work: ThreadWork): Thread | undefined => {
  const found = kept.get(keyOf(work));
  kept.delete(keyOf(work));
  clearTimeout(found?.timer);
  return found?.thread.isAlive === true ? found.thread : undefined;
};

/** One of each kind, for a while. */
const keep = (thread: Thread, work: ThreadWork): void => {
  void takeKept(work)?.end();
  const end = () => void takeKept(work)?.end();
  kept.set(keyOf(work), { thread, timer: setTimeout(end, KEPT_MS).unref() });
  thread.rest();
};

const YOUNG_MB = 32;

class Thread {
  isAlive = true;
  isSmall = true;
  private readonly worker: Worker;
  /** Linux's number of it, once it is known. */
  private number: number | null = null;

  constructor({ module, budget }: ThreadWork) {
    this.worker = new Worker(module, {
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: budget.heapMb, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    this.worker.on("message", (message: Message<unknown>) => {
      if (!("thread" in message)) return;
      this.number = message.thread;
      comeLast(message.thread);
    });
    this.worker.on("exit", () => (this.isAlive = false));
    // Also while nothing waits for it.
    this.worker.on("error", () => (this.isAlive = false));
  }

  async run<T>({ data, pieces, budget, signal }: ThreadWork): Promise<ThreadResult<T>> {
    this.worker.ref();
    const beganMs = this.usedMs();
    this.worker.postMessage({ data }, []);
    let bytes = 0;
    for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
      bytes += piece.length;
      send(this.worker, piece);
    }
    this.isSmall = bytes <= SHORT_BYTES;
    this.worker.postMessage(null, []);
    const isOver = new AbortController();
    try {
      return await ended<T>(this.worker, { usedMs: () => this.usedMs() - beganMs, budget, signal }, isOver.signal);
    } finally {
      isOver.abort();
    }
  }

  /** Keeps the process running no longer. */
  rest(): void {
    this.worker.unref();
  }

  async end(): Promise<void> {
    this.isAlive = false;
    await this.worker.terminate();
  }

  /** Processor time so far, in milliseconds. */
  private usedMs(): number {
    return this.number === null ? this.worker.performance.eventLoopUtilization().active : processorMs(this.number);
  }
}

/** A copy: parts of a pool are no memory of their own. */
const send = (worker: Worker, piece: Buffer): void => {
  const own = new Uint8Array(piece);
  worker.postMessage(own, [own.buffer]);
};

interface Watched extends Pick<ThreadWork, "budget" | "signal"> {
  readonly usedMs: () => number;
}

const ended = <T>(worker: Worker, { usedMs, budget, signal }: Watched, isOver: AbortSignal): Promise<ThreadResult<T>> =>
  new Promise((resolve, reject) => {
    const take = (message: Message<T>): void => {
      if ("value" in message) resolve(message);
    };
    const fail = (error: Error & { readonly code?: string }): void => {
      if (error.code === OUT_OF_MEMORY) resolve({ exceeded: "heapMb" });
      else reject(error);
    };
    const exit = (code: number): void => reject(new Error(`a thread ended with code ${code} before its result`));
    worker.on("message", take).on("error", fail).on("exit", exit);
    signal.addEventListener("abort", () => reject(signal.reason as Error), { signal: isOver });
    const looking = setInterval(() => {
      if (usedMs() > budget.cpuMs) resolve({ exceeded: "cpuMs" });
    }, LOOK_MS);
    isOver.addEventListener("abort", () => {
      clearInterval(looking);
      worker.off("message", take).off("error", fail).off("exit", exit);
    });
  });

const NICENESS = 10;

/** Polls and notices come first where processors are few. Linux takes the number of a thread, too. */
const comeLast = (thread: number): void => {
  try {
    setPriority(thread, NICENESS);
  } catch {
    // It has ended.
  }
};

/** Processor time of a thread, so that a busy machine does not count; 0 once it has ended. */
const processorMs = (thread: number): number => {
  try {
    return Number(readFileSync(`/proc/self/task/${thread}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  } catch {
    return 0;
  }
};
