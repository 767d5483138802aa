import type { AccessStores } from "../../access/operations/access-stores.js";
import type { Caller } from "../../access/operations/caller.js";
import type { RequestLogService } from "../../access/operations/log-requests.js";
import type { IssuingStores } from "../../dispatch/operations/create-dispatch.js";
import type { DispatchService } from "../../dispatch/operations/dispatch-service.js";
import type { DispatchStores } from "../../dispatch/operations/dispatch-stores.js";
import type { EnvironmentStores } from "../../notification/operations/manage-webhooks.js";
import type { WebhookService } from "../../notification/operations/webhook-service.js";
import type { VenAct } from "../../openadr/operations/ven-channel.js";
import type { PerformanceService } from "../../performance/operations/report/performance-service.js";
import type { Within } from "../../platform/answer-once.js";
import type { Page, PageRequest } from "../../platform/page.js";
import type { Ports } from "../../platform/ports.js";
import type { Result } from "../../platform/refusal.js";
import type { SiteService } from "../../portfolio/operations/site-service.js";
import type { TelemetryService } from "../../telemetry/operations/telemetry-service.js";
import type { FinalRun, IntegrationCertificate } from "../domain/certificate.js";
import type { SitePoint } from "../domain/held-reading.js";
import type { AcceptedNotice, Criterion, FirstRead, Point, Report, ScenarioNotice } from "../domain/report.js";
import type { Scenario, ScenarioRequest, ScenarioType } from "../domain/scenario.js";

/** Participants' requests that only the sandbox has. */
export interface ScenarioService {
  /** @param within the transaction that stores the answer, if any */
  createScenario(caller: Caller, request: ScenarioRequest, within: Partial<ScenarioWithin>): Promise<Result<Scenario>>;
  /** Newest first. */
  listScenarios(caller: Caller): Promise<readonly Scenario[]>;
  /** Ends it and returns its last state. */
  deleteScenario(caller: Caller, id: string): Promise<Result<Scenario>>;
  reportScenario(caller: Caller, id: string): Promise<Result<Report>>;
}

/** Participants' requests in the sandbox. */
export type SandboxService = DispatchService &
  PerformanceService &
  RequestLogService &
  SiteService &
  TelemetryService &
  WebhookService &
  ScenarioService;

/** Something that a participant did in a run; `count` times, or readings. */
export interface ParticipantAct {
  readonly what: "polled" | "fetched" | "telemetry" | "controllable_load" | VenAct["what"];
  /** The dispatch that it saw; "" if none. */
  readonly dispatchId: string;
  /** The modification that it saw. */
  readonly number: number;
  readonly count: number;
}

/** A recorded act, with its first and last time. */
export interface NotedAct extends ParticipantAct {
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** A scenario, and what its participant did. */
export interface NotedScenario {
  readonly scenario: Scenario;
  readonly acts: readonly NotedAct[];
}

export interface LastingScenario {
  readonly scenario: Scenario;
  /** Total number of dispatches in the account's earlier scenarios. */
  readonly earlierDispatches: number;
}

export interface ScenarioStore {
  insert(scenario: Scenario): Promise<void>;
  /** The account's current scenario: its newest, unless deleted. */
  currentOf(accountId: string): Promise<Scenario | null>;
  /** The ids of the current scenarios of those accounts that have one. */
  currentIds(accountIds: readonly string[]): Promise<ReadonlyArray<Pick<Scenario, "accountId" | "id">>>;
  /** Includes deleted ones. */
  find(id: string): Promise<Scenario | null>;
  /** Excludes deleted ones. */
  findOf(accountId: string, id: string): Promise<Scenario | null>;
  /** Newest first, without deleted ones. */
  ofAccount(accountId: string): Promise<readonly Scenario[]>;
  /** The newest of an account, and those replaced since a moment. */
  lastingSince(accountId: string, since: Date): Promise<readonly LastingScenario[]>;
  /** Newest first, including deleted ones. */
  list(accountId: string, page: PageRequest): Promise<Page<NotedScenario>>;
  /** Ends a scenario: deliveries of its notices are not retried. */
  end(scenario: Scenario, at: Date): Promise<void>;
  /** Hides an ended scenario from its account. */
  markDeleted(id: string, at: Date): Promise<void>;
  /** Removes scenarios beyond what an account may keep, with everything that belongs to them; the newest stay. */
  removeOld(accountId: string, kept: KeptScenarios): Promise<void>;
  /** @param keyId the key that acted; null if a person did */
  note(
    scenarioId: string,
    acts: readonly ParticipantAct[],
    by: { readonly at: Date; readonly keyId: string | null },
  ): Promise<void>;
  /** Records what VENs did, each for the scenario of its dispatch. */
  noteVenActs(acts: readonly VenAct[], at: Date): Promise<void>;
  firstReadsOf(scenarioId: string): Promise<readonly FirstRead[]>;
  /** In which forms each modification reached the account's systems, oldest first. */
  noticesOf(scenario: Scenario): Promise<readonly ScenarioNotice[]>;
  /** First success of a webhook for the announcement of each of the scenario's dispatches. */
  answeredOf(scenario: Scenario): Promise<readonly AcceptedNotice[]>;
  /** Stores the criteria, once; false if they were stored before. */
  saveCriteria(scenarioId: string, criteria: readonly Criterion[]): Promise<boolean>;
  /** The account's scenarios of these types, created from a moment on, that have a stored report; newest first. */
  finalSince(accountId: string, types: readonly ScenarioType[], since: Date | null): Promise<readonly FinalRun[]>;
  criteriaOf(scenarioId: string): Promise<readonly Criterion[] | null>;
  /** The account's scenarios without a stored report, including deleted ones. */
  unjudgedOf(accountId: string): Promise<readonly Scenario[]>;
}

/** Readings that reports of runs may use, by timestamp. */
export interface SandboxReadings {
  /** Keeps readings that were sent at a moment. */
  hold(accountId: string, points: readonly SitePoint[], sentAt: Date): Promise<void>;
  /** By site, in order of time: those after `from` up to `until`, as sent up to a moment. */
  of(
    accountId: string,
    within: { readonly from: Date; readonly until: Date; readonly sentBy: Date },
  ): Promise<ReadonlyMap<string, readonly Point[]>>;
  /** Accounts that have any. */
  accounts(): Promise<readonly string[]>;
  /** Forgets those of an account up to a moment; whether others remain. */
  forget(accountId: string, until: Date): Promise<boolean>;
}

/** Certificates are only added. */
export interface CertificateStore {
  insert(certificate: IntegrationCertificate): Promise<void>;
  newestOf(accountId: string): Promise<IntegrationCertificate | null>;
  /** The newest of each of these accounts that has one. */
  newestOfEach(accountIds: readonly string[]): Promise<readonly IntegrationCertificate[]>;
  /** Newest first. */
  list(accountId: string, page: PageRequest): Promise<Page<IntegrationCertificate>>;
}

/** How many ended scenarios an account may keep. */
export interface KeptScenarios {
  readonly scenarios: number;
  /** How many sites their states may name in all. */
  readonly sites: number;
  /** Scenarios that ended later stay: their last deliveries may be in flight, and VENs have yet to receive the end. */
  readonly endedBefore: Date;
}

export type ScenarioStores = Pick<AccessStores, "accounts" | "audit"> &
  Pick<DispatchStores, "dispatches" | "notices"> & {
    readonly scenarios: ScenarioStore;
    readonly certificates: CertificateStore;
  };

export interface ScenarioPorts extends Pick<Ports<unknown>, "clock" | "newId"> {
  readonly scenarios: ScenarioStore;
  /** Commits what `work` did; rolls back if it throws or refuses. */
  readonly transactScenario: <T>(work: (stores: ScenarioStores) => Promise<Result<T>>) => Promise<Result<T>>;
}

/** In the sandbox, a test dispatch is a scenario too. */
export type ScenarioWithin = Within<IssuingStores & EnvironmentStores> & Pick<ScenarioPorts, "transactScenario">;
