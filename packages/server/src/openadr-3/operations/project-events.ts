import { grouped } from "../../platform/grouped.js";
import { type DispatchNotice, SANDBOX_PROGRAM, TEST_PROGRAM, type VenClient } from "../domain/projection.js";
import type { FoundObject } from "../domain/stored-object.js";
import type { ProjectedDispatch } from "./projection-ports.js";
import { type Projecting, type ProjectingStores, type RecordedChange, recordProjection } from "./record-projection.js";
import { type EventPrograms, type NamedClient, sitesOf, wantedEvent } from "./wanted-objects.js";

export interface ProjectedEvents {
  readonly dispatches: readonly ProjectedDispatch[];
  readonly clients: readonly NamedClient[];
  /** The events of these dispatches for these VENs. */
  readonly existing: readonly FoundObject[];
}

/** Makes events of dispatches follow them, and notes what each VEN could see from then on; returns whether any changed. */
export const projectEvents = async (
  stores: ProjectingStores,
  projecting: Projecting,
  { dispatches, clients, existing }: ProjectedEvents,
): Promise<boolean> => {
  const programs = await eventPrograms(stores, projecting);
  const parts = dispatches.map(partsOf);
  const isNews = newsAt(projecting.at, existing);
  const wanted = parts.flatMap((partFor) =>
    clients
      .filter(({ client }) => isNews(partFor(client), client))
      .flatMap((named) => wantedEvent(partFor(named.client), named, { programs, at: projecting.at }) ?? []),
  );
  const changes = await recordProjection(stores, projecting, { existing, wanted });
  const byDispatch = new Map(dispatches.map((each, index) => [each.dispatch.id, parts[index]]));
  const byVen = new Map(clients.map((each) => [each.client.venId, each]));
  await stores.openadr3Notices.add(
    changes.flatMap((change) => {
      const { source, venId } = change.object;
      const partFor = source?.kind === "dispatch" ? byDispatch.get(source.id) : undefined;
      const named = venId === null ? undefined : byVen.get(venId);
      if (partFor === undefined || named === undefined) return [];
      return [noticeOf(change, partFor(named.client), named, projecting.at)];
    }),
  );
  return changes.length > 0;
};

/** Makes the events of a dispatch, one for each VEN of its sites, follow what was notified of it; returns whether any changed. */
export const projectDispatch = async (
  stores: ProjectingStores,
  projecting: Projecting,
  dispatchId: string,
): Promise<boolean> => {
  const { openadr3Sources: sources, openadr3Projected: projected } = stores;
  const dispatch = await sources.dispatch(dispatchId);
  if (dispatch === null) return false;
  const accountIds = [...new Set(dispatch.dispatch.sites.map(({ accountId }) => accountId))];
  const clients = await sources.clientsOf(projecting.environment, accountIds);
  const vens = new Set(clients.map(({ venId }) => venId));
  const existing = await projected.eventsOf(projecting.environment, [dispatchId]);
  return projectEvents(stores, projecting, {
    dispatches: [dispatch],
    clients: await withNames(stores, clients),
    existing: existing.filter(({ venId }) => venId !== null && vens.has(venId)),
  });
};

/** A VEN whose resources do not exist yet gets its events with them. */
const withNames = async (
  { openadr3Projected }: ProjectingStores,
  clients: readonly VenClient[],
): Promise<NamedClient[]> => {
  const resources = await openadr3Projected.resourcesOf(clients.map(({ venId }) => venId));
  const byVen = grouped(resources, ({ venId }) => venId);
  return clients.map((client) => ({
    client,
    names: new Map((byVen.get(client.venId) ?? []).map(({ source, name }) => [source?.id ?? "", name ?? ""])),
  }));
};

/** Whether a VEN is to have the event of a dispatch: one that is over is followed only where it has been seen. */
const newsAt = (at: Date, existing: readonly FoundObject[]) => {
  const seen = new Set(existing.map(({ source, venId }) => `${source?.id} ${venId}`));
  return ({ dispatch: { id, end } }: ProjectedDispatch, { venId }: VenClient): boolean =>
    end === null || end > at || seen.has(`${id} ${venId}`);
};

/** A dispatch with the sites of a client's account only: one to a thousand accounts is searched once, not for each. */
const partsOf = (projected: ProjectedDispatch): ((client: VenClient) => ProjectedDispatch) => {
  const byAccount = grouped(projected.dispatch.sites, ({ accountId }) => accountId);
  return ({ accountId }) => ({
    ...projected,
    dispatch: { ...projected.dispatch, sites: byAccount.get(accountId) ?? [] },
  });
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
