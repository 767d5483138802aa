import { grouped } from "../../platform/grouped.js";
import type { VenClient } from "../domain/projection.js";
import { projectEvents } from "./project-events.js";
import type { Projecting, ProjectingStores } from "./record-projection.js";
import type { NamedClient } from "./wanted-objects.js";

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
