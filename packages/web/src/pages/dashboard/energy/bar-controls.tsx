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
        <Button aria-label={steps[span].previous} onClick={() => choose({ at: steppedBy(span, from, -1) })}>
          ‹
        </Button>
        <span aria-live="polite" className="min-w-32 text-center font-semibold">
          {spanName(span, from)}
        </span>
        <Button aria-label={steps[span].next} disabled={next > today} onClick={() => choose({ at: next })}>
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
            { value: "before", label: steps[span].before },
            ...(span === "year" ? [] : [{ value: "year", label: steps[span].yearBefore }]),
          ]}
        />
      </div>
    </div>
  );
};

interface StepWords {
  readonly previous: string;
  readonly next: string;
  readonly before: string;
  readonly yearBefore: string;
}

const steps: Readonly<Record<BarSpan, StepWords>> = {
  day: {
    previous: say("Previous day"),
    next: say("Next day"),
    before: say("The day before"),
    yearBefore: say("The same day a year before"),
  },
  month: {
    previous: say("Previous month"),
    next: say("Next month"),
    before: say("The month before"),
    yearBefore: say("The same month a year before"),
  },
  year: {
    previous: say("Previous year"),
    next: say("Next year"),
    before: say("The year before"),
    yearBefore: say("The same year a year before"),
  },
};
