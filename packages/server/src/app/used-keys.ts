import type { KeyMemory } from "../access/http/key-memory.js";
import type { KeyPorts } from "../access/operations/manage-keys.js";
import type { LoopClock } from "../platform/clock.js";
import { Polling } from "../platform/polling.js";
import type { Logger } from "../platform/runtime/logger.js";

const TOUCH_MS = 10_000;

/** Records every few seconds when keys were last used; `stop` records the rest. */
export const noteUsedKeys = (
  memories: readonly KeyMemory[],
  ports: KeyPorts & { readonly clock: LoopClock },
  logger: Logger,
): { stop(): Promise<void> } => {
  const onError = (error: unknown): void =>
    logger.warn({ err: error }, "the last use of API keys could not be recorded; nothing else is affected");
  const note = async (): Promise<false> => {
    for (const memory of memories) await noteUsed(memory, ports).catch(onError);
    return false;
  };
  const noting = new Polling({ look: note, onError, clock: ports.clock, everyMs: TOUCH_MS });
  noting.start();
  return {
    async stop() {
      await noting.stop();
      await note();
    },
  };
};

const noteUsed = async (memory: KeyMemory, { stores, clock }: KeyPorts): Promise<void> => {
  const used = memory.takeUsed();
  if (used.length === 0) return;
  const minute = new Date(Math.floor(clock.now().getTime() / 60_000) * 60_000);
  await stores.keys.touch(used, minute);
};
