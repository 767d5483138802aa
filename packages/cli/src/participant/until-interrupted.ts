import type { CommandIo } from "../admin-io.js";

/** Works until it is done, or until the first request to stop, which is a normal end. */
export const untilInterrupted = async (
  io: Pick<CommandIo, "onInterrupt">,
  work: (signal: AbortSignal) => Promise<unknown>,
): Promise<"done" | "interrupted"> => {
  const stopping = new AbortController();
  const removeListener = io.onInterrupt(() => stopping.abort(new Error("interrupted")));
  try {
    await work(stopping.signal);
    return "done";
  } catch (error) {
    if (stopping.signal.aborted) return "interrupted";
    throw error;
  } finally {
    removeListener();
  }
};
