import { Polling } from "../../platform/polling.js";
import type { Basis, Stopping } from "../basis.js";

const TOUCH_MS = 10_000;

interface UsedNotes extends Stopping {
  readonly note: (id: string) => void;
}

/** Records every few seconds when credentials of a kind were last used; `stop` records the rest. */
export const notingUsed = (
  { clock, logger }: Basis,
  touch: (ids: readonly string[], at: Date) => Promise<void>,
): UsedNotes => {
  const used = new Set<string>();
  const onError = (error: unknown): void =>
    logger.warn({ err: error }, "the last use of API keys could not be recorded; nothing else is affected");
  const look = async (): Promise<void> => {
    const ids = [...used];
    used.clear();
    if (ids.length > 0) await touch(ids, new Date(Math.floor(clock.now().getTime() / 60_000) * 60_000));
  };
  const noting = new Polling({ look, onError, clock, everyMs: TOUCH_MS });
  noting.start();
  return {
    note: (id) => void used.add(id),
    async stop() {
      await noting.stop();
      await look().catch(onError);
    },
  };
};
