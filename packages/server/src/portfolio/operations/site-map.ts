import type { Site } from "../domain/site.js";

/** A site with coordinates. */
export interface MappedSite extends Pick<Site, "id" | "accountId" | "name" | "isSimulated"> {
  readonly latitude: number;
  readonly longitude: number;
  /** The largest of its enrolments; null without one. */
  readonly commitmentKw: number | null;
}

/** Where sites are. */
export interface SitePlaces {
  readonly sites: readonly MappedSite[];
  readonly withoutCoordinates: number;
}

/** Source of the background of the map. */
export interface TileSource {
  /** With `{z}`, `{x}` and `{y}`. */
  readonly url: string;
  readonly attribution: string;
}

export interface SiteMapPorts {
  readonly siteMap: { read(): Promise<SitePlaces> };
  /** null: the outline that comes with the pages. */
  readonly mapTiles: TileSource | null;
}
