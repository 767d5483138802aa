import type pg from "pg";
import { sandboxNoticeStore } from "../dispatch/storage/notice-store.js";
import type { Once } from "../platform/answer-once.js";
import { inTransaction, type Queryable, savepoint } from "../platform/database/database.js";
import { type OnceOver, onceWithin } from "../platform/database/kept-answer-store.js";
import type { SecretBox } from "../platform/secret-box.js";
import type { ScenarioPorts, ScenarioStores, ScenarioWithin } from "../sandbox/operations/scenario-service.js";
import { certificateStore } from "../sandbox/storage/certificate-store.js";
import { scenarioStore } from "../sandbox/storage/scenario-store.js";
import { storesOver, withinTransaction } from "./stores.js";

/** Runs `work` with the sandbox's stores, including scenarios, in one transaction. */
export const transactScenarioOver =
  (pool: pg.Pool, secrets: SecretBox): ScenarioPorts["transactScenario"] =>
  (work) =>
    inTransaction(pool, (client) => work(scenarioStoresOver(client, secrets)));

export const scenarioOnceOver = (over: OnceOver): Once<ScenarioWithin> =>
  onceWithin(over, (client) => ({
    ...withinTransaction(client, over.secrets),
    transactScenario: (work) => savepoint(client, () => work(scenarioStoresOver(client, over.secrets))),
  }));

const scenarioStoresOver = (db: Queryable, secrets: SecretBox): ScenarioStores => ({
  ...storesOver(db, secrets),
  notices: sandboxNoticeStore(db),
  scenarios: scenarioStore(db),
  certificates: certificateStore(db),
});
