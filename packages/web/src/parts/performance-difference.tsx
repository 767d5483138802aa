import type { PerformanceDifference } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { type ChangedFigure, changedFigures, changedInputs, changedTotals } from "../rules/result-difference.js";

/** A dialog is no place for a thousand sites. */
const MOST_SITES = 50;

/** What differs between two versions of a result: figures before and after, and why. */
export const Difference = ({ difference }: { readonly difference: PerformanceDifference }) => {
  const { sites } = difference;
  const totals = changedTotals(difference);
  if (sites.length === 0) return <p>{say("Nothing differs: every site has the same result in both versions.")}</p>;
  return (
    <div className="grid gap-4 text-sm">
      {totals.length > 0 && <Part title={say("All sites")} figures={totals} words={[]} />}
      {sites.slice(0, MOST_SITES).map((site) => (
        <Part key={site.site_id} title={site.name} figures={changedFigures(site)} words={changedInputs(site.inputs)} />
      ))}
      {sites.length > MOST_SITES && (
        <p className="text-muted">
          {say(
            "{n, plural, one {# more site differ; the API returns them all.} other {# more sites differ; the API returns them all.}}",
            { n: sites.length - MOST_SITES },
          )}
        </p>
      )}
    </div>
  );
};

const Part = ({
  title,
  figures,
  words,
}: {
  readonly title: string;
  readonly figures: readonly ChangedFigure[];
  readonly words: readonly string[];
}) => (
  <section>
    <h3 className="mb-1 font-semibold">{title}</h3>
    <dl className="divide-y divide-line">
      {figures.map(({ name, before, after }) => (
        <div key={name} className="grid grid-cols-[1fr_auto] gap-x-4 py-1">
          <dt>{name}</dt>
          <dd className="text-right">
            <span className="text-muted">{before}</span> → <span className="font-medium">{after}</span>
          </dd>
        </div>
      ))}
    </dl>
    {words.map((sentence) => (
      <p key={sentence} className="mt-1 text-muted">
        {sentence}
      </p>
    ))}
    {figures.length === 0 && <p className="mt-1 text-muted">{say("The figures are the same.")}</p>}
  </section>
);
