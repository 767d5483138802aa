import type { PerformanceDifference } from "@curtail/contract";
import { rounded } from "../../platform/rounded.js";
import type { Visible } from "../../portfolio/operations/visible-sites.js";
import type { ResultReader } from "../domain/version.js";
import type { InputDifference } from "../operations/final/input-difference.js";
import type { ResultDifference } from "../operations/final/result-difference.js";
import type { SiteSummary } from "../operations/site-summary.js";
import { totalsToWire, versionToWire } from "./wire-performance.js";

type WireInputs = NonNullable<PerformanceDifference["sites"][number]["inputs"]>;

/** A site as its reader sees it. */
interface WireSite {
  readonly site_id: string;
  readonly name: string;
}

export const differenceToWire = <Site extends WireSite>(
  difference: Visible<ResultDifference>,
  siteToWire: (site: SiteSummary) => Site,
  reader: ResultReader = "participant",
) => {
  const { from, to, before, after, inputs } = difference;
  const was = new Map(before.sites.map((site) => [site.siteId, siteToWire(site)]));
  const is = new Map(after.sites.map((site) => [site.siteId, siteToWire(site)]));
  const ids = [...new Set([...was.keys(), ...is.keys()])];
  return {
    dispatch_id: before.dispatch.id,
    from: versionToWire(from, before.versions, reader),
    to: versionToWire(to, before.versions, reader),
    totals_before: totalsToWire(before.totals),
    totals_after: totalsToWire(after.totals),
    sites: ids.flatMap((id) => siteDifference(was.get(id) ?? null, is.get(id) ?? null, inputs.get(id))),
  };
};

/** Nothing if neither figures nor inputs differ. */
const siteDifference = <Site extends WireSite>(before: Site | null, after: Site | null, inputs?: InputDifference) => {
  const site = after ?? before;
  const changed = changedMembers(before, after);
  const wireInputs = inputs === undefined ? null : inputsToWire(inputs);
  if (site === null || (changed.length === 0 && (wireInputs === null || isEmpty(wireInputs)))) return [];
  return [{ site_id: site.site_id, name: site.name, changed, before, after, inputs: wireInputs }];
};

const changedMembers = (before: object | null, after: object | null): string[] => {
  const [was, is] = [Object.entries(before ?? {}), new Map(Object.entries(after ?? {}))];
  const names = [...new Set([...was.map(([name]) => name), ...is.keys()])];
  const values = new Map(was);
  return names.filter((name) => JSON.stringify(values.get(name)) !== JSON.stringify(is.get(name)));
};

const isEmpty = ({ load, meters_added, meters_removed, dates, ...rest }: WireInputs): boolean =>
  load.added + load.removed + load.changed + meters_added.length + meters_removed.length + dates.length === 0 &&
  rest.adjustment_before === rest.adjustment_after;

const inputsToWire = ({ load, metersAdded, metersRemoved, days, adjustment }: InputDifference): WireInputs => ({
  load: { added: load.added, removed: load.removed, changed: load.changed, energy_kwh: rounded(load.energyKwh) },
  meters_added: metersAdded.map(({ id, name }) => ({ meter_id: id, name })),
  meters_removed: metersRemoved.map(({ id, name }) => ({ meter_id: id, name })),
  dates: days.map(({ eventDate, date, before, after, isCorrected }) => ({
    event_date: eventDate,
    date,
    before,
    after,
    corrected: isCorrected,
  })),
  adjustment_before: rounded(adjustment.before),
  adjustment_after: rounded(adjustment.after),
});
