import { say } from "@curtail/words/page";
import { useMemo } from "react";
import { power } from "../../../format/quantity.js";
import { marksOfShort, type ShortSum, shortSumOf } from "../../../rules/site-map.js";
import { DispatchSiteDrawer } from "./dispatch-site-drawer.js";
import { type MapAnswers, MapLayout } from "./map-layout.js";
import { PlainSiteDrawer } from "./plain-site-drawer.js";

/** All sites, with what dispatches in progress lack. */
export const AllInProgress = ({ map, now }: MapAnswers) => {
  const marks = useMemo(() => marksOfShort(now.sites), [now.sites]);
  return (
    <MapLayout
      map={map}
      now={now}
      marks={marks}
      chosen={null}
      lead={words(shortSumOf(now.dispatches))}
      without={map.without_coordinates}
      drawer={({ siteId, list }) => {
        const mark = marks.get(siteId);
        return mark === undefined ? (
          <PlainSiteDrawer siteId={siteId} list={list} />
        ) : (
          <DispatchSiteDrawer dispatchId={mark.dispatchId} siteId={siteId} list={list} />
        );
      }}
    />
  );
};

const words = ({ dispatches, shortDispatches, shortSites, shortKw, isPart }: ShortSum): string =>
  [
    wordsOf({ dispatches, shortDispatches, shortSites, shortKw }),
    ...(isPart ? [say("Some sites are not measured yet.")] : []),
  ].join(" ");

const wordsOf = ({ dispatches, shortDispatches, shortSites, shortKw }: Omit<ShortSum, "isPart">): string => {
  if (dispatches === 0) return say("No dispatch is in progress.");
  if (shortSites === 0)
    return say(
      "{dispatches, plural, one {No site is short in # dispatch in progress.} other {No site is short in # dispatches in progress.}}",
      { dispatches },
    );
  return say(
    "{kw} short in {dispatches, plural, one {# dispatch} other {# dispatches}} in progress: {sites, plural, one {# site delivers} other {# sites deliver}} less than committed.",
    { kw: power(shortKw), dispatches: shortDispatches, sites: shortSites },
  );
};
