import { gatheredRows } from "./gathered-rows.js";
import { historyOf } from "./measure-dispatch.js";
import {
  type DispatchToMeasure,
  type HistoryBySite,
  type MeasurementPorts,
  NO_HISTORY,
  type ReadingRows,
  type SiteToMeasure,
} from "./measurement-ports.js";
import type { LookbackExtent } from "./site-baseline.js";
import { SiteMeasurement } from "./site-measurement.js";

/** Sites with about this many meters are read together: their look-backs take some megabytes. */
const METERS_AT_ONCE = 48;
/** The first ones: a page shows what they deliver while the others are read. */
const METERS_AT_FIRST = 16;

/** One is read while the other is computed. */
const GROUPS_AT_ONCE = 2;

/** Measures sites of a dispatch in their order: some are computed while the database reads the next. */
export async function* measuredSites(
  ports: MeasurementPorts,
  dispatch: DispatchToMeasure,
  sites: readonly SiteToMeasure[],
): AsyncGenerator<SiteMeasurement> {
  yield* measuredSitesWith(ports, dispatch, { sites, history: await historyOf(ports, dispatch) });
}

/** The same with a history of the sites that was read before. */
export async function* measuredSitesWith(
  ports: MeasurementPorts,
  dispatch: DispatchToMeasure,
  { sites, history, extent = "whole" }: SitesToRead,
): AsyncGenerator<SiteMeasurement> {
  const nowMs = ports.clock.now().getTime();
  yield* readTogether(ports.reader, sites, (reader, site) => {
    const task = { dispatch, site, history: history.get(site.id) ?? NO_HISTORY };
    return SiteMeasurement.read(reader, task, nowMs, extent);
  });
}

interface SitesToRead {
  readonly sites: readonly SiteToMeasure[];
  readonly history: HistoryBySite;
  readonly extent?: LookbackExtent;
}

/** Reads something of sites in their order, of some together and of the next meanwhile. */
export async function* readTogether<S extends Pick<SiteToMeasure, "meters">, T>(
  rows: ReadingRows,
  sites: readonly S[],
  read: (reader: ReadingRows, site: S) => Promise<T>,
): AsyncGenerator<T> {
  const readGroup = (group: readonly S[]): Promise<T[]> => {
    const reader = gatheredRows(rows);
    return Promise.all(group.map((site) => read(reader, site)));
  };
  const groups = groupsOf(sites);
  const underWay: Array<Promise<T[]>> = [];
  for (let next = 0; next < groups.length || underWay.length > 0; ) {
    for (; underWay.length < GROUPS_AT_ONCE && next < groups.length; next++) {
      const group = readGroup(groups[next] ?? []);
      // The error is thrown when the group is awaited; unhandled until then, it would end the process.
      group.catch(() => {});
      underWay.push(group);
    }
    yield* (await underWay.shift()) ?? [];
  }
}

const groupsOf = <S extends Pick<SiteToMeasure, "meters">>(sites: readonly S[]): S[][] => {
  const groups: S[][] = [];
  let meters = Number.POSITIVE_INFINITY;
  for (const site of sites) {
    if (meters >= (groups.length > 1 ? METERS_AT_ONCE : METERS_AT_FIRST)) {
      groups.push([]);
      meters = 0;
    }
    groups.at(-1)?.push(site);
    meters += site.meters.length;
  }
  return groups;
};
