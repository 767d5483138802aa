import { changesNothing } from "../../platform/changes-nothing.js";
import type { ObjectSource, StoredObject } from "./stored-object.js";

/** The follower that makes objects follow their sources. */
export const PROJECTION = "openadr3-projection";

/** An object as its source determines it. */
export interface ProjectedObject
  extends Pick<
    StoredObject,
    "objectType" | "clientId" | "programId" | "venId" | "name" | "targets" | "transpiresAt" | "body"
  > {
  readonly source: ObjectSource;
}

/** What to do so that objects follow their sources. */
export interface Difference<Before extends StoredObject> {
  readonly created: readonly ProjectedObject[];
  readonly changed: ReadonlyArray<{ readonly before: Before; readonly after: ProjectedObject }>;
  readonly removed: readonly Before[];
}

/** How existing objects differ from the wanted ones; both have a source, and one object of each source and ven. */
export const differenceOf = <Before extends StoredObject>(
  existing: readonly Before[],
  wanted: readonly ProjectedObject[],
): Difference<Before> => {
  const before = new Map(existing.map((object) => [keyOf(object), object]));
  const created: ProjectedObject[] = [];
  const changed: Array<{ before: Before; after: ProjectedObject }> = [];
  for (const after of wanted) {
    const known = before.get(keyOf(after));
    if (known === undefined) created.push(after);
    else if (!changesNothing<ProjectedObject>({ ...known, source: after.source }, after)) {
      changed.push({ before: known, after });
    }
  }
  const kept = new Set(wanted.map(keyOf));
  return { created, changed, removed: existing.filter((object) => !kept.has(keyOf(object))) };
};

const keyOf = ({ objectType, source, venId }: Pick<StoredObject, "objectType" | "source" | "venId">): string =>
  `${objectType} ${source?.kind} ${source?.id} ${venId}`;

/** A program of the service, as far as its object follows it. */
export interface ProjectedProgram {
  readonly id: string;
  readonly name: string;
  readonly programType: string;
  /** VENs of accounts that have nothing in it see it, too. */
  readonly isPublic: boolean;
}

/** A site, as far as its resources follow it. */
export interface ProjectedSite {
  readonly id: string;
  readonly name: string;
  readonly customerLocationId: string;
  readonly meters: ReadonlyArray<{ readonly id: string; readonly name: string }>;
}

/** The client of a VEN that is not revoked, with its ven. */
export interface VenClient {
  readonly clientId: string;
  readonly name: string;
  readonly accountId: string;
  readonly venId: string;
  /** null: all sites of the account. */
  readonly siteIds: readonly string[] | null;
  readonly createdAt: Date;
}

/** Whether a client is for a site of its account. */
export const hasSite = ({ siteIds }: VenClient, siteId: string): boolean =>
  siteIds === null || siteIds.includes(siteId);

/** What the client of a VEN was shown of a dispatch. */
export interface DispatchNotice {
  readonly dispatchId: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly accountId: string;
  readonly modificationNumber: number;
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  readonly eventId: string;
  readonly siteIds: readonly string[];
  /** Of the event. */
  readonly modifiedAt: Date;
  readonly changeSeq: number;
  readonly at: Date;
}

/** Sources of objects that stand for no row of ours. */
export const TELEMETRY_PROGRAM = "telemetry";
export const SANDBOX_PROGRAM = "sandbox";
/** The built-in program of participants' tests, which tests of other programs belong to as well. */
export const TEST_PROGRAM = "prg_test_dispatch";
