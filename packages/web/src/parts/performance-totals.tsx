import type { DispatchPerformance, PerformanceTotals as Totals } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { count, energy, percent, power } from "../format/quantity.js";
import { deliveredShare, type ShareLimits } from "../rules/delivered-share.js";
import { isJudged } from "../rules/judged.js";
import { Figure, Figures } from "../ui/card.js";
import { ShareBar } from "./share-bar.js";

/** Totals of a dispatch: delivered reduction against the commitment of all sites. */
export const PerformanceTotals = ({
  totals,
  state,
  limits,
}: {
  readonly totals: Totals;
  readonly limits: ShareLimits;
  readonly state: DispatchPerformance["state"];
}) => {
  const { now, to_date, commitment_kw } = totals;
  if (!isJudged(state))
    return (
      <Figures>
        <Figure
          label={say("Delivered until the cancellation")}
          value={power(to_date.reduction_kw)}
          hint={say("average, {n} of {all, plural, one {# site} other {# sites}} measured", {
            n: count(to_date.sites),
            all: totals.sites,
          })}
        />
        <Figure
          label={say("Energy delivered")}
          value={energy(totals.delivered_energy_kwh)}
          hint={say("until the cancellation")}
        />
      </Figures>
    );
  const shareOf = ({ reduction_kw, sites }: Totals["now"]) => (
    <Share
      limits={limits}
      share={deliveredShare(reduction_kw, commitment_kw)}
      of={{ committed: power(commitment_kw), n: count(sites), all: totals.sites }}
    />
  );
  return (
    <Figures>
      {state === "in_progress" && (
        <Figure label={say("Delivered now")} value={power(now.reduction_kw)} hint={shareOf(now)} />
      )}
      <Figure
        label={state === "in_progress" ? say("Average so far") : say("Average delivered")}
        value={power(to_date.reduction_kw)}
        hint={shareOf(to_date)}
      />
      <Figure
        label={say("Energy delivered")}
        value={energy(totals.delivered_energy_kwh)}
        hint={say("of {energy} committed", { energy: energy(totals.committed_energy_kwh) })}
      />
      <Figure label={say("Coverage")} value={percent(totals.coverage)} hint={say("of expected intervals received")} />
    </Figures>
  );
};

/** A percentage with a bar that repeats it. */
const Share = ({
  share,
  limits,
  of,
}: {
  readonly share: number | null;
  readonly limits: ShareLimits;
  readonly of: { readonly committed: string; readonly n: string; readonly all: number };
}) => (
  <>
    {say("{share} of {committed}, {n} of {all, plural, one {# site} other {# sites}} measured", {
      share: percent(share),
      ...of,
    })}
    <ShareBar share={share} limits={limits} className="mt-1.5 h-1.5" />
  </>
);
