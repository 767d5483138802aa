import type { Environment } from "../../access/domain/api-key.js";
import type { Page, PageRequest } from "../../platform/page.js";
import type { FoundObject } from "../domain/stored-object.js";

/** A program of the operator's own, with the number of its events that are not over. */
export interface OwnProgramObject {
  readonly object: FoundObject;
  readonly eventCount: number;
}

/** Events of an environment that meet every condition; null: any. */
export interface OwnEventFilter {
  readonly environment: Environment;
  readonly programId: string | null;
  readonly isOver: boolean | null;
  readonly now: Date;
}

/** Programs and events that follow nothing of the service: the operator or business logic wrote them. */
export interface OwnObjectStore {
  find(type: "PROGRAM" | "EVENT", id: string): Promise<FoundObject | null>;
  /** Programs by their ids. */
  programs(ids: readonly string[]): Promise<ReadonlyMap<string, FoundObject>>;
  countEvents(programId: string, now: Date): Promise<number>;
  listPrograms(environment: Environment, now: Date, page: PageRequest): Promise<Page<OwnProgramObject>>;
  /** Newest first. */
  listEvents(filter: OwnEventFilter, page: PageRequest): Promise<Page<FoundObject>>;
  /** Events of a program that are not over. */
  standing(programId: string, now: Date): Promise<readonly FoundObject[]>;
  /** Those of the ids that no account has, or no site. */
  unknown(kind: "accounts" | "sites", ids: readonly string[]): Promise<readonly string[]>;
}
