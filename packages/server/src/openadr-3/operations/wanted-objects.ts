import {
  type EventRequest,
  eventOfDispatch,
  meterAttributes,
  metersOfResource,
  openPeriodEnd,
  type ResourceRequest,
  reportRequest,
  simpleLevelOf,
  transpiresAt,
  uniqueNames,
} from "@curtail/openadr-3";
import { hasSite, type ProjectedObject, type ProjectedSite, type VenClient } from "../domain/projection.js";
import type { ProjectedDispatch } from "./projection-ports.js";

/** The resources of a VEN, one for each of its sites. Each grants its own name as a target. */
export const wantedResources = (
  client: VenClient,
  sites: readonly ProjectedSite[],
  taken: ReadonlySet<string>,
): ProjectedObject[] => {
  const own = sites.filter(({ id }) => hasSite(client, id));
  const names = uniqueNames(
    own.map(({ id, customerLocationId }) => ({ id, name: customerLocationId })),
    taken,
  );
  const nameOf = ({ id }: ProjectedSite): string => names.get(id) ?? id;
  const metered = own.map((site) => ({ resourceName: nameOf(site), meters: site.meters }));
  const meters = meterAttributes(metered, taken);
  return own.map((site) => {
    const { id, name: siteName } = site;
    const name = nameOf(site);
    const { clientId, venId } = client;
    const attributes = [...descriptionOf(siteName), ...(meters.get(name) ?? [])];
    return {
      objectType: "RESOURCE",
      source: { kind: "site", id },
      clientId,
      programId: null,
      venId,
      name,
      targets: [name],
      transpiresAt: null,
      body: { resourceName: name, venID: venId, targets: [name], attributes },
    };
  });
};

const DESCRIPTION_CHARACTERS = 128;

const descriptionOf = (siteName: string) => [
  { type: "DESCRIPTION", values: [siteName.slice(0, DESCRIPTION_CHARACTERS).replace(/[\ud800-\udbff]$/, "")] },
];

/** The event that asks for the telemetry of a VEN's resources; null: it has none. */
export const wantedReportRequest = (
  { clientId, venId }: VenClient,
  resources: readonly ProjectedObject[],
  programId: string,
): ProjectedObject | null => {
  if (resources.length === 0) return null;
  const resourceNames = resources.map(({ name }) => name ?? "");
  const loadNames = resources.flatMap((resource) => {
    const meters = metersOf(resource);
    // By their ids: some clients read no other characters in targets.
    return meters.size === 0 ? [resource.name ?? ""] : [...meters.values()];
  });
  const body = reportRequest({ programId, resourceNames, loadNames });
  return eventObject(body, { source: { kind: "client", id: clientId }, venId });
};

/** The meters of a site by the names that reports give them; none: the site has at most one. */
export const metersOf = ({ body }: Pick<ProjectedObject, "body">): ReadonlyMap<string, string> =>
  metersOfResource((body as ResourceRequest).attributes);

/** The program objects that events of dispatches belong to, by the ids of our programs. */
export interface EventPrograms {
  /** Of a test; null: those are in no program of their own. */
  readonly tests: string | null;
  of(programId: string): string | undefined;
}

/** Where and when events are written. */
interface EventWriting {
  readonly programs: EventPrograms;
  readonly at: Date;
}

/** A VEN, and the names that it knows our sites by. */
export interface NamedClient {
  readonly client: VenClient;
  readonly names: ResourceNames;
}

/** The resource of each site of a VEN. */
export type ResourceNames = ReadonlyMap<string, string>;

/**
 * The event of a dispatch for a VEN; null: it is cancelled, or none of its sites is a resource of the VEN. Sites that
 * were taken from a VEN are none of its business.
 */
export const wantedEvent = (
  { dispatch, signalLevel, priority, openHours }: ProjectedDispatch,
  { client, names }: NamedClient,
  { programs, at }: EventWriting,
): ProjectedObject | null => {
  const { program, test, start, end, id } = dispatch;
  const programId = (test ? programs.tests : null) ?? programs.of(program.id);
  const sites = sitesOf({ dispatch }, client, names);
  if (!dispatch.authorized || sites.length === 0 || programId === undefined) return null;
  const level = simpleLevelOf({ programType: program.programType, signalLevel });
  const event = eventOfDispatch({
    id,
    programId,
    programName: program.name,
    test,
    start,
    end,
    openEnd: openPeriodEnd({ start, hours: openHours }, at),
    level,
    priority,
    sites: sites.map(({ resourceName, commitmentKw }) => ({ resourceName, commitmentKw })),
  });
  return eventObject(event, { source: { kind: "dispatch", id }, venId: client.venId });
};

/** The sites of a dispatch that are resources of a VEN. */
export const sitesOf = (
  { dispatch }: Pick<ProjectedDispatch, "dispatch">,
  client: VenClient,
  names: ResourceNames,
): ReadonlyArray<{ readonly siteId: string; readonly resourceName: string; readonly commitmentKw: number | null }> =>
  dispatch.sites.flatMap(({ id: siteId, accountId, commitmentKw }) => {
    const resourceName = names.get(siteId);
    const isOwn = accountId === client.accountId && hasSite(client, siteId);
    return isOwn && resourceName !== undefined ? [{ siteId, resourceName, commitmentKw }] : [];
  });

const eventObject = (
  body: EventRequest,
  { source, venId }: Pick<ProjectedObject, "source" | "venId">,
): ProjectedObject => ({
  objectType: "EVENT",
  source,
  clientId: null,
  programId: body.programID,
  venId,
  name: body.eventName ?? null,
  targets: body.targets ?? [],
  transpiresAt: transpiresAt(body),
  body,
});
