import type { MeterKey } from "@curtail/measure";
import type { Site } from "../../portfolio/domain/site.js";
import type { ControllableLoadArchive } from "../../telemetry/operations/record-controllable-load.js";
import type { MeterDirectory, UnresolvedSource } from "../../telemetry/operations/record-telemetry.js";

/** Every site of the sandbox has one meter, so a site's index in the list identifies both. */
export const meterKeyOf = (index: number): MeterKey => ({ site: index, meter: index });

/** Finds the meters of an upload among `sites`, as production does among an account's. */
export const siteDirectory = (sites: ReadonlyArray<Pick<Site, "id" | "meters">>): MeterDirectory => ({
  resolve: async (_accountId, sources) =>
    sources.map(({ kind, id }): MeterKey | UnresolvedSource => {
      const index = sites.findIndex((site) =>
        kind === "site" ? site.id === id : site.meters.some((meter) => meter.id === id),
      );
      return index < 0 ? "unknown" : meterKeyOf(index);
    }),
});

/** Checks the sites of a controllable load upload; stores nothing. */
export const checkingArchive = (sites: ReadonlyArray<Pick<Site, "id">>): ControllableLoadArchive => ({
  async write(_accountId, readings) {
    const foreign = readings.findIndex(({ siteId }) => !sites.some(({ id }) => id === siteId));
    return foreign < 0 ? null : foreign;
  },
});
