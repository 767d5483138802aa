import { readFileSync } from "node:fs";
import { setPriority } from "node:os";
import { Worker } from "node:worker_threads";

/** What a thread may use. */
export interface ThreadBudget {
  readonly cpuMs: number;
  /** Of the heap of JavaScript. */
  readonly heapMb: number;
}

export interface ThreadWork {
  /** Module that the thread runs: it takes the pieces and then null as messages, and sends `{ value }`. */
  readonly module: string;
  /** For the thread's `workerData`. */
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

/** Runs work in a thread that ends with its result, its budget or its signal; then it throws the signal's reason. */
export const runInThread = async <T>(work: ThreadWork): Promise<ThreadResult<T>> => {
  const { module, data, budget, signal } = work;
  signal.throwIfAborted();
  const worker = new Worker(module, {
    workerData: data,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: budget.heapMb, maxYoungGenerationSizeMb: YOUNG_MB },
  });
  const abort = new AbortController();
  try {
    for (let piece = work.pieces.shift(); piece !== undefined; piece = work.pieces.shift()) send(worker, piece);
    worker.postMessage(null, []);
    return await ended<T>(worker, work, abort.signal);
  } finally {
    abort.abort();
    await worker.terminate();
  }
};

const YOUNG_MB = 32;

/** A copy: parts of a pool are no memory of their own. */
const send = (worker: Worker, piece: Buffer): void => {
  const own = new Uint8Array(piece);
  worker.postMessage(own, [own.buffer]);
};

const ended = <T>(worker: Worker, { budget, signal }: ThreadWork, isOver: AbortSignal): Promise<ThreadResult<T>> =>
  new Promise((resolve, reject) => {
    let cpuMs = (): number => worker.performance.eventLoopUtilization().active;
    worker.on("message", (message: Message<T>) => {
      if ("value" in message) resolve(message);
      else {
        cpuMs = () => processorMs(message.thread);
        comeLast(message.thread);
      }
    });
    worker.on("error", (error: Error & { readonly code?: string }) => {
      if (error.code === OUT_OF_MEMORY) resolve({ exceeded: "heapMb" });
      else reject(error);
    });
    worker.on("exit", (code) => reject(new Error(`a thread ended with code ${code} before its result`)));
    signal.addEventListener("abort", () => reject(signal.reason as Error), { signal: isOver });
    const looking = setInterval(() => {
      if (cpuMs() > budget.cpuMs) resolve({ exceeded: "cpuMs" });
    }, LOOK_MS);
    isOver.addEventListener("abort", () => clearInterval(looking));
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
