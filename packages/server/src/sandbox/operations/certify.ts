import { REQUIRED_SCENARIOS } from "../../oversight/domain/certified.js";
import type { NewId } from "../../platform/clock.js";
import { certifyingRuns, channelsOf, type FinalRun, isRequired, type Pass } from "../domain/certificate.js";
import { closedAt } from "../domain/report.js";
import type { Scenario } from "../domain/scenario.js";
import type { ScenarioStores } from "./scenario-service.js";

interface Certifying {
  readonly now: Date;
  readonly newId: NewId;
}

/**
 * Certifies the account of a scenario whose report was just stored, if it now has passed every required one since its
 * last certificate. In the transaction of the report: neither is there without the other.
 */
export const certify = async (
  stores: ScenarioStores,
  { accountId, type }: Scenario,
  { now, newId }: Certifying,
): Promise<void> => {
  if (!isRequired(type)) return;
  // Two scenarios may become final at once.
  await stores.accounts.lock(accountId);
  const last = await stores.certificates.newestOf(accountId);
  const since = last?.certifiedAt ?? null;
  const runs = certifyingRuns(await stores.scenarios.finalSince(accountId, REQUIRED_SCENARIOS, since));
  if (runs === null) return;
  const passes = await Promise.all(runs.map(async (run) => passOf(stores, run)));
  const certificate = { id: newId("cer"), accountId, certifiedAt: now, passes };
  await stores.certificates.insert(certificate);
  await stores.audit.append({ actor: "service", at: now }, "account.certify", certificate, { after: certificate });
};

const passOf = async ({ scenarios }: ScenarioStores, { scenario, keyId }: FinalRun): Promise<Pass> => {
  const answered = await scenarios.answeredOf(scenario);
  const firstReads = await scenarios.firstReadsOf(scenario.id);
  const { id: scenarioId, type } = scenario;
  const channels = channelsOf({ answered, firstReads });
  return { scenarioId, type, passedAt: closedAt(scenario), channels, keyId };
};
