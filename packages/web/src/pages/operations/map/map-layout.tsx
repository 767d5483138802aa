import type { operator, ReplyOf } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { SiteMapView } from "../../../map/site-map-view.js";
import { lackOffMap, listed, matching, pointsOf, type SiteMarks } from "../../../rules/site-map.js";
import { Card, PageHead } from "../../../ui/card.js";
import { useOpenedInAddress } from "../../../ui/use-opened-in-address.js";
import type { Dispatch } from "../dispatch/dispatch.js";
import type { StepList } from "../dispatch/site-drawer.js";
import { useAccountNames } from "../use-accounts.js";
import { MapFilters } from "./map-filters.js";
import { MapKey } from "./map-key.js";
import { MapList } from "./map-list.js";
import { NoCoordinates, WithoutCoordinates } from "./without-coordinates.js";

const route = getRouteApi("/operations/map");

export interface MapAnswers {
  readonly map: ReplyOf<typeof operator.getSiteMap>;
  readonly now: ReplyOf<typeof operator.listShortSites>;
}

interface Shown extends MapAnswers {
  readonly marks: SiteMarks;
  /** null: all sites are shown. */
  readonly chosen: Dispatch | null;
  /** The answer as a sentence. */
  readonly lead: ReactNode;
  /** Number of sites that are on no map. */
  readonly without: number;
  readonly drawer: (opened: { readonly siteId: string; readonly list: StepList }) => ReactNode;
}

/** The sentence, the map, and the list of the same sites. */
export const MapLayout = ({ map, now, marks, chosen, lead, without, drawer }: Shown) => {
  const { site = null, search = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const accounts = useAccountNames();
  const found = useMemo(() => matching(map.sites, search, accounts), [map.sites, search, accounts]);
  const points = useMemo(() => pointsOf(found, marks, chosen !== null), [found, marks, chosen]);
  const rows = useMemo(() => listed(points, chosen !== null), [points, chosen]);
  const lack = useMemo(() => lackOffMap(marks, map.sites), [marks, map.sites]);
  const shown = chosen === null ? points : rows;
  const open = useOpenedInAddress(site ?? undefined, (next, move) => {
    const { site: _before, ...rest } = { site, search, dispatch: chosen?.id ?? "" };
    void navigate({ search: given({ ...rest, site: next ?? "" }), resetScroll: false, ...move });
  });
  return (
    <>
      <PageHead title={say("Map")} lead={lead} />
      <MapFilters now={now} chosen={chosen} search={search} />
      {map.sites.length === 0 ? (
        <NoCoordinates without={map.without_coordinates} />
      ) : (
        <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1.75fr)_minmax(0,1fr)]">
          <div className="min-w-0 xl:sticky xl:top-4">
            <SiteMapView
              points={points}
              framed={shown}
              chosen={site}
              tiles={map.tiles}
              about={`${chosen?.id ?? ""} ${search}`}
              onOpen={open}
            />
            <MapKey isChosen={chosen !== null} tiles={map.tiles} />
          </div>
          <Card title={say("{sites, plural, one {# site} other {# sites}}", { sites: rows.length })} flush>
            <MapList rows={rows} accounts={accounts} chosen={site} onOpen={open} />
            <WithoutCoordinates count={without} lack={lack} of={chosen} />
          </Card>
        </div>
      )}
      {site !== null &&
        drawer({ siteId: site, list: { found: rows.map(({ site: { id } }) => ({ site_id: id })), open } })}
    </>
  );
};

const given = <S extends Readonly<Record<string, string>>>(search: S): Partial<S> =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== "")) as Partial<S>;
