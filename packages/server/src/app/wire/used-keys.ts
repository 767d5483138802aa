import { Polling } from "../../platform/polling.js";
import type { Basis, Stopping } from "../basis.js";

const TOUCH_MS = 10_000;

/** Credentials of one kind. */
export interface UsedCredentials {
  /** Ids of those used since the last call. */
  takeUsed(): string[];
  touch(ids: readonly string[], at: Date): Promise<void>;
}

/** Records every few seconds when API keys and clients were last used; `stop` records the rest. */
export const noteUsedKeys = ({ clock, logger }: Basis, kinds: readonly UsedCredentials[]): Stopping => {
  const onError = (error: unknown): void =>
    logger.warn({ err: error }, "the last use of API keys could not be recorded; nothing else is affected");
  const note = async (): Promise<void> => {
    for (const kind of kinds) await noteUsed(kind, clock.now()).catch(onError);
  };
  const noting = new Polling({ look: note, onError, clock, everyMs: TOUCH_MS });
  noting.start();
  return {
    async stop() {
      await noting.stop();
      await note();
    },
  };
};

const noteUsed = async (kind: UsedCredentials, now: Date): Promise<void> => {
  const used = kind.takeUsed();
  if (used.length === 0) return;
  await kind.touch(used, new Date(Math.floor(now.getTime() / 60_000) * 60_000));
};
