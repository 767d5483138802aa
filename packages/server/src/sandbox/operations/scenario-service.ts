import type { AccessStores } from "../../access/operations/access-stores.js";
import type { Caller } from "../../access/operations/caller.js";
import type { IssuingStores } from "../../dispatch/operations/create-dispatch.js";
import type { DispatchService } from "../../dispatch/operations/dispatch-service.js";
import type { DispatchStores } from "../../dispatch/operations/dispatch-stores.js";
import type { EnvironmentStores } from "../../notification/operations/environment-stores.js";
import type { WebhookService } from "../../notification/operations/webhook-service.js";
import type { VenAct } from "../../openadr/operations/ven-channel.js";
import type { PerformanceService } from "../../performance/operations/performance-service.js";
import type { Within } from "../../platform/answer-once.js";
import type { Page, PageRequest } from "../../platform/page.js";
import type { Ports } from "../../platform/ports.js";
import type { Result } from "../../platform/refusal.js";
import type { SiteService } from "../../portfolio/operations/site-service.js";
import type { TelemetryService } from "../../telemetry/operations/telemetry-service.js";
import type { Answered, Criterion, FirstRead, Report } from "../domain/report.js";
import type { Scenario, ScenarioRequest } from "../domain/scenario.js";

/** What a participant can ask of the sandbox beside what it can ask of production. */
export interface ScenarioService {
  /** @param within the transaction that keeps the answer, where there is one */
  createScenario(caller: Caller, request: ScenarioRequest, within: Partial<ScenarioWithin>): Promise<Result<Scenario>>;
  /** Newest first. */
  listScenarios(caller: Caller): Promise<readonly Scenario[]>;
  /** Ends it, and answers it as it was. */
  deleteScenario(caller: Caller, id: string): Promise<Result<Scenario>>;
  reportScenario(caller: Caller, id: string): Promise<Result<Report>>;
}

/** What a participant can ask of the sandbox. */
export type SandboxService = DispatchService &
  PerformanceService &
  SiteService &
  TelemetryService &
  WebhookService &
  ScenarioService;

/** Something that a participant did in a run; `count` times, or readings. */
export interface Act {
  readonly what: "polled" | "fetched" | "telemetry" | "controllable_load" | VenAct["what"];
  /** The dispatch that it saw; "" where it saw none. */
  readonly dispatchId: string;
  /** The modification that it saw. */
  readonly number: number;
  readonly count: number;
}

/** An act as it was noted: when first, when last. */
export interface NotedAct extends Act {
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
  /** How many dispatches the account's scenarios before it have. */
  readonly earlierDispatches: number;
}

export interface ScenarioStore {
  insert(scenario: Scenario): Promise<void>;
  /** The one that an account plays: its newest, unless that was deleted. */
  currentOf(accountId: string): Promise<Scenario | null>;
  /** Deleted ones too. */
  find(id: string): Promise<Scenario | null>;
  /** Not deleted ones. */
  findOf(accountId: string, id: string): Promise<Scenario | null>;
  /** Newest first, but those that were deleted. */
  ofAccount(accountId: string): Promise<readonly Scenario[]>;
  /** The newest of an account, and those that were replaced since. */
  lastingSince(accountId: string, since: Date): Promise<readonly LastingScenario[]>;
  /** Newest first, deleted ones too. */
  list(accountId: string, page: PageRequest): Promise<Page<NotedScenario>>;
  /** Ends a scenario: deliveries of its notices are not tried again. */
  end(scenario: Scenario, at: Date): Promise<void>;
  /** Hides an ended scenario from its account. */
  markDeleted(id: string, at: Date): Promise<void>;
  /** Removes, with all that belongs to it, what is beyond what an account may keep; the newest stay. */
  removeOld(accountId: string, kept: Kept): Promise<void>;
  note(scenarioId: string, acts: readonly Act[], at: Date): Promise<void>;
  /** Notes what VENs did, each for the scenario of its dispatch. */
  noteVenActs(acts: readonly VenAct[], at: Date): Promise<void>;
  firstReadsOf(scenarioId: string): Promise<readonly FirstRead[]>;
  /** First success of a webhook for the announcement of each of the scenario's dispatches. */
  answeredOf(scenario: Scenario): Promise<readonly Answered[]>;
  /** Keeps what was judged, once. */
  saveCriteria(scenarioId: string, criteria: readonly Criterion[]): Promise<void>;
  criteriaOf(scenarioId: string): Promise<readonly Criterion[] | null>;
}

/** How much of what is over an account may keep. */
export interface Kept {
  readonly scenarios: number;
  /** How many sites their states may name in all. */
  readonly sites: number;
  /** What ended later stays: its last deliveries may be under way, and VENs have yet to learn of the end. */
  readonly endedBefore: Date;
}

export type ScenarioStores = Pick<AccessStores, "accounts"> &
  Pick<DispatchStores, "dispatches" | "notices"> & { readonly scenarios: ScenarioStore };

export interface ScenarioPorts extends Pick<Ports<unknown>, "clock" | "newId"> {
  readonly scenarios: ScenarioStore;
  /** Commits what `work` did; rolls back when it throws or refuses. */
  readonly transactScenario: <T>(work: (stores: ScenarioStores) => Promise<Result<T>>) => Promise<Result<T>>;
}

/** In the sandbox a test dispatch is a scenario too. */
export type ScenarioWithin = Within<IssuingStores & EnvironmentStores> & Pick<ScenarioPorts, "transactScenario">;
