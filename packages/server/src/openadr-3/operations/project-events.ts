import { type DispatchNotice, SANDBOX_PROGRAM, TEST_PROGRAM, type VenClient } from "../domain/projection.js";
import type { FoundObject } from "../domain/stored-object.js";
import type { ProjectedDispatch } from "./projection-ports.js";
import { type Projecting, type ProjectingStores, type RecordedChange, recordProjection } from "./record-projection.js";
import { type EventPrograms, type ResourceNames, sitesOf, wantedEvent } from "./wanted-objects.js";

/** A VEN, and the names that it knows our sites by. */
export interface NamedClient {
  readonly client: VenClient;
  readonly names: ResourceNames;
}

export interface ProjectedEvents {
  readonly dispatches: readonly ProjectedDispatch[];
  readonly clients: readonly NamedClient[];
  /** The events of these dispatches for these VENs. */
  readonly existing: readonly FoundObject[];
}

/** Makes events of dispatches follow them, and notes what each VEN could see from then on. */
export const projectEvents = async (
  stores: ProjectingStores,
  projecting: Projecting,
  { dispatches, clients, existing }: ProjectedEvents,
): Promise<void> => {
  const programs = await eventPrograms(stores, projecting);
  const wanted = dispatches.flatMap((dispatch) =>
    clients.flatMap(({ client, names }) => wantedEvent(dispatch, client, names, programs) ?? []),
  );
  const changes = await recordProjection(stores, projecting, { existing, wanted });
  const byDispatch = new Map(dispatches.map((each) => [each.dispatch.id, each]));
  const byVen = new Map(clients.map((each) => [each.client.venId, each]));
  await stores.openadr3Notices.add(
    changes.flatMap((change) => {
      const { source, venId } = change.object;
      const dispatch = source?.kind === "dispatch" ? byDispatch.get(source.id) : undefined;
      const named = venId === null ? undefined : byVen.get(venId);
      return dispatch === undefined || named === undefined ? [] : [noticeOf(change, dispatch, named, projecting.at)];
    }),
  );
};

const noticeOf = (
  { operation, object, seq }: RecordedChange,
  { dispatch }: ProjectedDispatch,
  { client, names }: NamedClient,
  at: Date,
): DispatchNotice => ({
  dispatchId: dispatch.id,
  clientId: client.clientId,
  clientName: client.name,
  accountId: client.accountId,
  modificationNumber: dispatch.modificationNumber,
  operation,
  eventId: object.id,
  siteIds: sitesOf({ dispatch }, client, names).map(({ siteId }) => siteId),
  modifiedAt: object.modifiedAt,
  changeSeq: seq,
  at,
});

/** The program objects by the ids of our programs. */
const eventPrograms = async (
  { openadr3Projected }: ProjectingStores,
  { environment }: Projecting,
): Promise<EventPrograms> => {
  const objects = await openadr3Projected.programs(environment);
  const ids = new Map(objects.map(({ source, id }) => [source?.id, id]));
  // Scenarios name programs that exist nowhere else.
  const of = (programId: string) => ids.get(environment === "sandbox" ? SANDBOX_PROGRAM : programId);
  return { tests: (environment === "sandbox" ? undefined : ids.get(TEST_PROGRAM)) ?? null, of };
};
