import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { clock, dayAndClock } from "../../../format/time.js";
import { Select } from "../../../ui/field.js";
import { TextFilter } from "../../../ui/filters.js";
import { usePageZone } from "../../../ui/page-zone.js";
import type { Dispatch } from "../dispatch/dispatch.js";
import type { MapAnswers } from "./map-layout.js";

const route = getRouteApi("/operations/map");

/** Which dispatch is shown, and a search. */
export const MapFilters = ({
  now,
  chosen,
  search,
}: {
  readonly now: MapAnswers["now"];
  readonly chosen: Dispatch | null;
  readonly search: string;
}) => {
  const navigate = route.useNavigate();
  const go = (change: { dispatch?: string; search?: string }) =>
    void navigate({
      search: ({ site: _closed, ...before }) => ({ ...before, ...change }),
      replace: true,
      resetScroll: false,
    });
  return (
    <div className="mb-3 grid max-w-2xl gap-3 sm:grid-cols-2">
      <Select
        label={say("Dispatch")}
        choices={useChoices(now, chosen)}
        value={chosen?.id ?? ""}
        onChange={({ target }) => go({ dispatch: target.value })}
      />
      <TextFilter
        label={say("Find a site")}
        placeholder={say("Name of the site or account")}
        value={search}
        onChange={(value) => go({ search: value })}
      />
    </div>
  );
};

const useChoices = ({ dispatches }: MapAnswers["now"], chosen: Dispatch | null) => {
  const timeZone = usePageZone();
  const running = dispatches.map(({ id, program_name, start_time }) => ({
    value: id,
    label: say("{program}, since {time}", { program: program_name, time: clock(start_time, timeZone) }),
  }));
  const isListed = chosen === null || dispatches.some(({ id }) => id === chosen.id);
  return [
    { value: "", label: say("All in progress", {}, "dispatches") },
    ...running,
    ...(isListed
      ? []
      : [{ value: chosen.id, label: `${chosen.program.name}, ${dayAndClock(chosen.start_time, timeZone)}` }]),
  ];
};
