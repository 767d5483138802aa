import type pg from "pg";
import type { Once } from "../operations/answer-once.js";
import type { ScenarioPorts, ScenarioStores, ScenarioWithin } from "../operations/scenario-service.js";
import type { SecretBox } from "../operations/secret-box.js";
import { inTransaction, type Queryable, savepoint } from "./database.js";
import { type OnceOver, onceWithin } from "./kept-answer-store.js";
import { sandboxNoticeStore } from "./notice-store.js";
import { scenarioStore } from "./scenario-store.js";
import { storesOver, withinTransaction } from "./stores.js";

/** Runs `work` over the sandbox's stores, scenarios among them, in one transaction. */
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
});
