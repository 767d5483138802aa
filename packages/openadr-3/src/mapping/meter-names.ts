import type { ValuesMap } from "../contract/values-map.js";
import { uniqueNames } from "./names.js";

/** A meter of a site. */
export interface NamedMeter {
  readonly id: string;
  readonly name: string;
}

/** A site of a VEN, by the name of its resource. */
export interface MeteredResource {
  readonly resourceName: string;
  readonly meters: readonly NamedMeter[];
}

/** Attributes of the resource of a site with several meters, in the same order. Private, as the specification has none. */
const NAMES = "METER_NAMES";
const IDS = "METER_IDS";

/**
 * What reports name the meters of each site by, as attributes of its resource: `SITE/METER`, or the id of the meter if
 * that is too long or taken. A site with one meter is named itself.
 */
export const meterAttributes = (
  resources: readonly MeteredResource[],
  taken: ReadonlySet<string>,
): ReadonlyMap<string, readonly ValuesMap[]> => {
  const several = resources.filter(({ meters }) => meters.length > 1);
  const named = several.flatMap(({ resourceName, meters }) =>
    meters.map(({ id, name }) => ({ id, name: `${resourceName}/${name}` })),
  );
  const names = uniqueNames(named, new Set([...taken, ...resources.map(({ resourceName }) => resourceName)]));
  return new Map(
    several.map(({ resourceName, meters }) => [
      resourceName,
      [
        { type: NAMES, values: meters.map(({ id }) => names.get(id) ?? id) },
        { type: IDS, values: meters.map(({ id }) => id) },
      ],
    ]),
  );
};

/** The meters of a resource by the names that reports give them; none: it is not of several meters. */
export const metersOfResource = (attributes: readonly ValuesMap[] = []): ReadonlyMap<string, string> => {
  const textsOf = (type: string): string[] =>
    (attributes.find((each) => each.type === type)?.values ?? []).filter((value) => typeof value === "string");
  const ids = textsOf(IDS);
  return new Map(textsOf(NAMES).map((name, index) => [name, ids[index] ?? ""]));
};
