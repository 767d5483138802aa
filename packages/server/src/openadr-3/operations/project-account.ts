import type { ProjectedObject, ProjectedSite, VenClient } from "../domain/projection.js";
import { TELEMETRY_PROGRAM } from "../domain/projection.js";
import type { FoundObject } from "../domain/stored-object.js";
import { type NamedClient, projectEvents } from "./project-events.js";
import type { ProjectedDispatch } from "./projection-ports.js";
import { type Projecting, type ProjectingStores, recordProjection } from "./record-projection.js";
import { wantedReportRequest, wantedResources } from "./wanted-objects.js";

/** What the VENs of an account have to do with. */
export interface AccountState {
  readonly clients: readonly VenClient[];
  readonly sites: readonly ProjectedSite[];
  /** Those that VENs may see and that are not over. */
  readonly dispatches: readonly ProjectedDispatch[];
}

/** Makes the objects of an account's VENs follow its sites and clients; a new VEN gets the events of current dispatches. */
export const projectAccount = async (
  stores: ProjectingStores,
  projecting: Projecting,
  accountId: string,
): Promise<void> => {
  const { openadr3Sources: sources } = stores;
  const clients = await sources.clientsOf(projecting.environment, [accountId]);
  if (clients.length === 0) return;
  const sites = await sources.sitesOf(accountId);
  const dispatches = await sources.dispatchesOf(accountId, projecting.at);
  await projectState(stores, projecting, { clients, sites, dispatches });
};

/** The same for a given state. */
const projectState = async (
  stores: ProjectingStores,
  projecting: Projecting,
  { clients, sites, dispatches }: AccountState,
): Promise<void> => {
  const venIds = clients.map(({ venId }) => venId);
  const existing = await stores.openadr3Projected.ofVens(venIds, projecting.at);
  const clientsResources = await wantedOf(stores, clients, sites);
  const telemetry = await telemetryProgram(stores, projecting);
  const wanted = clientsResources.flatMap(({ client, resources }) => {
    const names = resources.map(({ name }) => name ?? "");
    const request = telemetry === null ? null : wantedReportRequest(client, names, telemetry);
    return request === null ? resources : [...resources, request];
  });
  await recordProjection(stores, projecting, { existing: existing.filter((object) => !isOfDispatch(object)), wanted });
  const current = new Set(dispatches.map(({ dispatch }) => dispatch.id));
  await projectEvents(stores, projecting, {
    dispatches,
    clients: clientsResources.map(named),
    // What became of other dispatches is told by their notices.
    existing: existing.filter((object) => isOfDispatch(object) && current.has(object.source?.id ?? "")),
  });
};

const isOfDispatch = ({ source }: FoundObject): boolean => source?.kind === "dispatch";

interface ClientResources {
  readonly client: VenClient;
  readonly resources: readonly ProjectedObject[];
}

const wantedOf = async (
  { openadr3Projected }: ProjectingStores,
  clients: readonly VenClient[],
  sites: readonly ProjectedSite[],
): Promise<ClientResources[]> => {
  const taken = await openadr3Projected.takenResources(clients.map(({ venId }) => venId));
  return clients.map((client) => ({
    client,
    resources: wantedResources(client, sites, taken.get(client.venId) ?? new Set()),
  }));
};

const named = ({ client, resources }: ClientResources): NamedClient => ({
  client,
  names: new Map(resources.map(({ source, name }) => [source.id, name ?? ""])),
});

const telemetryProgram = async (
  { openadr3Projected }: ProjectingStores,
  { environment }: Projecting,
): Promise<string | null> => {
  const programs = await openadr3Projected.programs(environment);
  return programs.find(({ source }) => source?.id === TELEMETRY_PROGRAM)?.id ?? null;
};
