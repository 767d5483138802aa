import type { Result } from "../domain/refusal.js";
import type { Answered, Criterion, Report, Sight } from "../domain/report.js";
import type { Scenario, ScenarioRequest } from "../domain/scenario.js";
import type { Page, PageRequest } from "./page.js";
import type { ParticipantService } from "./participant-service.js";
import type { Caller, Ports, Stores } from "./ports.js";

/** What a participant can ask of the sandbox beside what it can ask of production. */
export interface ScenarioService {
  createScenario(caller: Caller, request: ScenarioRequest): Promise<Result<Scenario>>;
  reportScenario(caller: Caller, id: string): Promise<Result<Report>>;
}

export type SandboxService = ParticipantService & ScenarioService;

/** Something that a participant did in a run; `count` times, or readings. */
export interface Act {
  readonly what: "polled" | "fetched" | "telemetry" | "controllable_load";
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
  /** The one that an account plays: its newest. */
  newestOf(accountId: string): Promise<Scenario | null>;
  find(id: string): Promise<Scenario | null>;
  /** The newest of an account, and those that were replaced since. */
  lastingSince(accountId: string, since: Date): Promise<readonly LastingScenario[]>;
  /** Newest first. */
  list(accountId: string, page: PageRequest): Promise<Page<NotedScenario>>;
  /** Ends a scenario for another: deliveries of its notices are not tried again. */
  replace(scenario: Scenario, at: Date): Promise<void>;
  note(scenarioId: string, acts: readonly Act[], at: Date): Promise<void>;
  sightsOf(scenarioId: string): Promise<readonly Sight[]>;
  /** First success of a webhook for the announcement of each of the scenario's dispatches. */
  answeredOf(scenario: Scenario): Promise<readonly Answered[]>;
  /** Keeps what was judged, once. */
  saveCriteria(scenarioId: string, criteria: readonly Criterion[]): Promise<void>;
  criteriaOf(scenarioId: string): Promise<readonly Criterion[] | null>;
}

export type ScenarioStores = Stores & { readonly scenarios: ScenarioStore };

export interface ScenarioPorts extends Pick<Ports, "clock" | "newId"> {
  readonly scenarios: ScenarioStore;
  /** Commits what `work` did; rolls back when it throws or refuses. */
  readonly transactScenario: <T>(work: (stores: ScenarioStores) => Promise<Result<T>>) => Promise<Result<T>>;
}
