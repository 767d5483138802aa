import type { KeyMemory } from "../http/key-memory.js";
import type { KeyPorts } from "../operations/manage-keys.js";
import type { Logger } from "../runtime/logger.js";

const TOUCH_MS = 10_000;

/** Notes every few seconds when keys were last used; `stop` notes what is left. */
export const noteUsedKeys = (
  memories: readonly KeyMemory[],
  ports: KeyPorts,
  logger: Logger,
): { stop(): Promise<void> } => {
  const note = async (): Promise<void> => {
    for (const memory of memories) await noteUsed(memory, ports, logger);
  };
  const timer = setInterval(() => void note(), TOUCH_MS);
  return {
    async stop() {
      clearInterval(timer);
      await note();
    },
  };
};

const noteUsed = async (memory: KeyMemory, ports: KeyPorts, logger: Logger): Promise<void> => {
  const used = memory.takeUsed();
  if (used.length === 0) return;
  const minute = new Date(Math.floor(ports.clock.now().getTime() / 60_000) * 60_000);
  try {
    await ports.stores.keys.touch(used, minute);
  } catch (error) {
    logger.warn({ err: error }, "the last use of keys could not be noted; nothing else is affected");
  }
};
