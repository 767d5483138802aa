import {
  type Certified,
  type NoticeChannel,
  noticeChannels,
  REQUIRED_SCENARIOS,
} from "../../oversight/domain/certified.js";
import { CRITERION_NAMES, type Criterion, type Run } from "./report.js";
import type { Scenario, ScenarioType } from "./scenario.js";

/** A required scenario that was passed. */
export interface Pass {
  readonly scenarioId: string;
  readonly type: ScenarioType;
  /** When its report became final. */
  readonly passedAt: Date;
  readonly channels: readonly NoticeChannel[];
  /** The key that acted last; null if only a VEN did. */
  readonly keyId: string | null;
}

/** Says that an account's systems passed the required scenarios, however long those are kept. */
export interface IntegrationCertificate {
  readonly id: string;
  readonly accountId: string;
  readonly certifiedAt: Date;
  readonly passes: readonly Pass[];
}

/** A scenario with its stored report. */
export interface FinalRun {
  readonly scenario: Scenario;
  readonly criteria: readonly Criterion[];
  readonly keyId: string | null;
}

/** What operators see of it. */
export const certifiedBy = ({ accountId, certifiedAt, passes }: IntegrationCertificate): Certified => ({
  accountId,
  certifiedAt,
  scenarios: REQUIRED_SCENARIOS.filter((required) => passes.some(({ type }) => type === required)),
  channels: noticeChannels.filter((channel) => passes.some(({ channels }) => channels.includes(channel))),
});

export const isRequired = (type: ScenarioType): boolean => REQUIRED_SCENARIOS.some((required) => required === type);

const isPassed = ({ criteria }: FinalRun): boolean =>
  criteria.length > 0 && criteria.every(({ result }) => result === "passed");

/** One passed run of each required scenario that together passed every criterion; null while something is missing. */
export const certifyingRuns = (newestFirst: readonly FinalRun[]): readonly FinalRun[] | null => {
  const passed = newestFirst.filter(isPassed);
  const runs = REQUIRED_SCENARIOS.flatMap((type) => passed.find(({ scenario }) => scenario.type === type) ?? []);
  const names = new Set(runs.flatMap(({ criteria }) => criteria.map(({ name }) => name)));
  const isWhole = runs.length === REQUIRED_SCENARIOS.length && CRITERION_NAMES.every((name) => names.has(name));
  return isWhole ? runs : null;
};

/** Those that carried a dispatch of the run; a poll before the first one was announced carried none. */
export const channelsOf = ({ answered, firstReads }: Pick<Run, "answered" | "firstReads">): NoticeChannel[] => {
  const readBy = new Set(firstReads.filter(({ dispatchId }) => dispatchId !== "").map(({ by }) => by));
  return [
    ...(answered.length > 0 ? (["webhook"] as const) : []),
    ...(readBy.has("get") ? (["polling"] as const) : []),
    ...(readBy.has("openadr2") || readBy.has("openadr3") ? (["openadr"] as const) : []),
  ];
};

declare module "../../access/domain/audit.js" {
  interface Audited {
    integration_certificate: { action: "account.certify"; state: IntegrationCertificate };
  }
}
