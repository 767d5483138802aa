import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { useOperator } from "../../api/use-call.js";
import { PageHead } from "../../ui/card.js";
import { PageTimes } from "../../ui/page-zone.js";
import { Answered } from "../../ui/state.js";
import { AllInProgress } from "./map/all-in-progress.js";
import { OneDispatch } from "./map/one-dispatch.js";

const route = getRouteApi("/operations/map");

/** Coordinates change seldom, and an unchanged answer is short. */
const PLACES_EVERY_MS = 60_000;
const SHORT_EVERY_MS = 10_000;

/** Where sites are, and where dispatches are short. */
export const MapPage = () => {
  const { dispatch = "" } = route.useSearch();
  const places = useOperator("/sites/map", {}, { everyMs: PLACES_EVERY_MS });
  const short = useOperator("/sites/short", {}, { everyMs: SHORT_EVERY_MS });
  const zones = short.data?.dispatches.map(({ timezone }) => timezone) ?? [];
  return (
    <PageTimes timeZones={zones} whose={say("the programs")}>
      <Answered
        of={places.data === undefined ? places : { ...short, data: short.data && ([places.data, short.data] as const) }}
      >
        {([map, now]) =>
          dispatch === "" ? (
            <AllInProgress map={map} now={now} />
          ) : (
            <OneDispatch key={dispatch} id={dispatch} map={map} now={now} />
          )
        }
      </Answered>
      {places.data === undefined && <PageHead title={say("Map")} />}
    </PageTimes>
  );
};
