import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import {
  type BarPeriod,
  type BarSpan,
  type Comparison,
  spanName,
  spans,
  steppedBy,
} from "../../../rules/energy-bars.js";
import { Button } from "../../../ui/button.js";
import { Select } from "../../../ui/field.js";

const route = getRouteApi("/dashboard/energy");

/** Chooses day, month or year, steps to the one before or after, and what to compare with. */
export const BarControls = ({
  span,
  comparison,
  period: { from },
  today,
}: {
  readonly span: BarSpan;
  readonly comparison: Comparison;
  readonly period: BarPeriod;
  readonly today: string;
}) => {
  const navigate = route.useNavigate();
  const choose = (change: Readonly<Record<string, string>>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), resetScroll: false });
  const next = steppedBy(span, from, 1);
  return (
    <div className="contents">
      <div role="group" aria-label={say("Period")} className="flex gap-1.5">
        {spans.map(({ id, label }) => (
          <Button
            key={id}
            aria-pressed={id === span}
            look={id === span ? "primary" : "plain"}
            onClick={() => choose({ span: id })}
          >
            {label}
          </Button>
        ))}
      </div>
      <div className="flex items-center gap-1.5">
        <Button aria-label={`Previous ${span}`} onClick={() => choose({ at: steppedBy(span, from, -1) })}>
          ‹
        </Button>
        <span aria-live="polite" className="min-w-32 text-center font-semibold">
          {spanName(span, from)}
        </span>
        <Button aria-label={`Next ${span}`} disabled={next > today} onClick={() => choose({ at: next })}>
          ›
        </Button>
      </div>
      <div className="w-52">
        <Select
          label={say("Compare with")}
          value={comparison === "year" && span === "year" ? "none" : comparison}
          onChange={(event) => choose({ compare: event.target.value })}
          choices={[
            { value: "none", label: say("Nothing") },
            { value: "before", label: `The ${span} before` },
            ...(span === "year" ? [] : [{ value: "year", label: `The same ${span} a year before` }]),
          ]}
        />
      </div>
    </div>
  );
};
