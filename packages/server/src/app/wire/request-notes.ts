import { type AnsweredRequest, RequestLog } from "../../access/operations/log-requests.js";
import { requestArchive } from "../../access/storage/request-log-store.js";
import { Polling } from "../../platform/polling.js";
import type { Basis, Stopping } from "../basis.js";

const TOUCH_MS = 10_000;

/** What listeners note of each request with a key. */
export interface RequestNotes {
  readonly noteRequest: (request: AnsweredRequest) => void;
  readonly noteUsedKey: (keyId: string) => void;
}

type Touch = (ids: readonly string[], at: Date) => Promise<void>;

/** A request is logged in the environment of its key, even if sent to the other one: its owner looks there. */
export const wireRequestNotes = (basis: Basis, touchKeys: Touch): RequestNotes & Stopping => {
  const { pool, sandboxPool, clock, logger } = basis;
  const logOver = (db: typeof pool) => new RequestLog(requestArchive(db), clock, logger);
  const logs = { production: logOver(pool), sandbox: logOver(sandboxPool) };
  const used = notingUsed(basis, touchKeys);
  return {
    noteRequest: (request) => logs[request.environment].note(request),
    noteUsedKey: used.note,
    stop: async () => void (await Promise.all([logs.production, logs.sandbox, used].map((each) => each.stop()))),
  };
};

interface UsedNotes extends Stopping {
  readonly note: (id: string) => void;
}

/** Records every few seconds when credentials of a kind were last used; `stop` records the rest. */
export const notingUsed = ({ clock, logger }: Basis, touch: Touch): UsedNotes => {
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
