import type { ProjectedObject, ProjectedSite, VenClient } from "../domain/projection.js";
import { TELEMETRY_PROGRAM } from "../domain/projection.js";
import type { FoundObject } from "../domain/stored-object.js";
import { projectDispatch, projectEvents } from "./project-events.js";
import type { Rehearsal } from "./projection-ports.js";
import { type Projecting, type ProjectingStores, recordProjection } from "./record-projection.js";
import { type NamedClient, wantedReportRequest, wantedResources } from "./wanted-objects.js";

/**
 * Makes the objects of an account's VENs follow its sites and clients; a new VEN gets the events of current dispatches.
 * Returns whether any changed.
 */
export const projectAccount = async (
  stores: ProjectingStores,
  projecting: Projecting,
  accountId: string,
): Promise<boolean> => {
  const { openadr3Sources: sources } = stores;
  const clients = await sources.clientsOf(projecting.environment, [accountId]);
  if (clients.length === 0) return false;
  const sites = await sources.sitesOf(accountId);
  const dispatches = await sources.dispatchesOf(accountId, projecting.at);
  const current = new Set(dispatches.map(({ dispatch }) => dispatch.id));
  const existing = await existingOf(stores, projecting, clients, [...current]);
  const resources = await projectResources(stores, projecting, { clients, sites, existing });
  const haveEvents = await projectEvents(stores, projecting, {
    dispatches,
    clients: resources.clients,
    existing: existing.filter((object) => isOfDispatch(object) && current.has(object.source?.id ?? "")),
  });
  const others = new Set(existing.filter(isOfDispatch).map(({ source }) => source?.id ?? ""));
  // Notices have shown what became of other dispatches, but not while the account was disabled.
  const changes = [resources.haveChanged, haveEvents];
  for (const id of others) if (!current.has(id)) changes.push(await projectDispatch(stores, projecting, id));
  return changes.includes(true);
};

/** The same in the sandbox, where a VEN receives all sites of its account's scenario, whichever it has in production. */
export const projectRehearsal = async (
  stores: ProjectingStores,
  projecting: Projecting,
  { accountId, sites, dispatches }: Rehearsal,
): Promise<boolean> => {
  const { openadr3Sources: sources, openadr3Projected: projected } = stores;
  const all = await sources.clientsOf(projecting.environment, [accountId]);
  if (all.length === 0) return false;
  const clients = all.map((client) => ({ ...client, siteIds: null }));
  const existing = await existingOf(stores, projecting, clients, []);
  const resources = await projectResources(stores, projecting, { clients, sites, existing });
  const vens = new Set(clients.map(({ venId }) => venId));
  const ids = dispatches.map(({ dispatch }) => dispatch.id);
  const known = (await projected.eventsOf(projecting.environment, ids)).filter(({ venId }) => vens.has(venId ?? ""));
  const told = new Set(known.map(({ source }) => source?.id));
  const haveEvents = await projectEvents(stores, projecting, {
    dispatches,
    clients: resources.clients,
    // Those of scenarios that ended long ago, while nobody looked, are cancelled.
    existing: [...known, ...existing.filter((object) => isOfDispatch(object) && !told.has(object.source?.id))],
  });
  return resources.haveChanged || haveEvents;
};

const existingOf = (
  { openadr3Projected }: ProjectingStores,
  { at }: Projecting,
  clients: readonly VenClient[],
  dispatchIds: readonly string[],
): Promise<readonly FoundObject[]> =>
  openadr3Projected.ofVens(
    clients.map(({ venId }) => venId),
    { now: at, dispatchIds },
  );

interface VenSites {
  readonly clients: readonly VenClient[];
  readonly sites: readonly ProjectedSite[];
  readonly existing: readonly FoundObject[];
}

/** Makes resources and the standing requests for telemetry follow sites. */
const projectResources = async (
  stores: ProjectingStores,
  projecting: Projecting,
  { clients, sites, existing }: VenSites,
): Promise<{ readonly clients: readonly NamedClient[]; readonly haveChanged: boolean }> => {
  const clientsResources = await wantedOf(stores, clients, sites);
  const telemetry = await telemetryProgram(stores, projecting);
  const wanted = clientsResources.flatMap(({ client, resources }) => {
    const request = telemetry === null ? null : wantedReportRequest(client, resources, telemetry);
    return request === null ? resources : [...resources, request];
  });
  const changes = await recordProjection(stores, projecting, {
    existing: existing.filter((object) => !isOfDispatch(object)),
    wanted,
  });
  return { clients: clientsResources.map(named), haveChanged: changes.length > 0 };
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
