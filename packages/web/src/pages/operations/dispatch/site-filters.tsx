import { say } from "@curtail/words/page";
import { useRef } from "react";
import { count } from "../../../format/quantity.js";
import { countStates, type SiteRow, type SiteState } from "../../../rules/site-row.js";
import { useKeys } from "../../../ui/use-keys.js";
import type { SiteList } from "./use-site-list.js";

/** Sites by state, whose counts add up to all of them, and a search. */
export const SiteFilters = ({ rows, list }: { readonly rows: readonly SiteRow[]; readonly list: SiteList }) => {
  const search = useRef<HTMLInputElement>(null);
  useKeys(say("Sites"), [{ keys: "/", label: say("filter sites"), run: () => search.current?.focus() }]);
  return (
    <div className="flex items-center gap-1.5 overflow-x-auto px-3 py-2 md:flex-wrap print:hidden">
      {list.judges && (
        <div role="group" aria-label={say("Sites by state")} className="contents">
          <Chip
            label={say("All", {}, "sites")}
            number={rows.length}
            isChosen={list.status === ""}
            onClick={() => list.change({ status: "" })}
          />
          {countStates(rows).map(([state, number]) => (
            <Chip
              key={state}
              label={stateWords[state]}
              number={number}
              isChosen={list.status === state}
              onClick={() => list.change({ status: list.status === state ? "" : state })}
            />
          ))}
        </div>
      )}
      <input
        ref={search}
        type="search"
        aria-label={say("Search")}
        placeholder={say("Filter by name")}
        value={list.search}
        onChange={({ target }) => list.change({ search: target.value })}
        className="ml-auto min-h-8 w-[200px] shrink-0 rounded-lg bg-surface px-3 text-[13px] ring-1 ring-line ring-inset"
      />
    </div>
  );
};

const Chip = ({
  label,
  number,
  isChosen,
  onClick,
}: {
  readonly label: string;
  readonly number: number;
  readonly isChosen: boolean;
  readonly onClick: () => void;
}) => (
  <button
    type="button"
    aria-pressed={isChosen}
    onClick={onClick}
    className={`min-h-[34px] shrink-0 rounded-full px-3 text-[13px] whitespace-nowrap md:min-h-7 ${isChosen ? "bg-accent-soft text-accent" : "bg-sunken text-muted"}`}
  >
    {label} <b className={`ml-0.5 font-semibold ${isChosen ? "" : "text-ink"}`}>{count(number)}</b>
  </button>
);

/** As they begin a sentence. */
const stateWords: Readonly<Record<SiteState, string>> = {
  not_notified: say("Not notified", {}, "site"),
  well_below: say("Well below", {}, "commitment"),
  no_readings: say("No readings"),
  not_judged: say("Not judged", {}, "site"),
  below: say("Below", {}, "commitment"),
  on_commitment: say("On commitment"),
  well_above: say("Well above", {}, "commitment"),
};
