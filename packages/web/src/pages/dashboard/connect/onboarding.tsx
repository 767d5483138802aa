import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { Link } from "@tanstack/react-router";
import { useConsoleList } from "../../../api/use-call.js";
import { power } from "../../../format/quantity.js";
import { serviceSentence } from "../../../rules/service-sentences.js";
import { Badge } from "../../../ui/badge.js";
import { Button } from "../../../ui/button.js";
import { Card } from "../../../ui/card.js";
import { DayAndClock } from "../../../ui/page-zone.js";
import { sayParts } from "../../../ui/say-parts.js";
import { Empty, Fault, Waiting } from "../../../ui/state.js";

type SiteOnboarding = operator.SiteOnboarding;
type Step = SiteOnboarding["steps"][number];

const names: Readonly<Record<Step["step"], string>> = {
  data_streaming: say("Data is streaming"),
  display_enabled: say("Data visibility is enabled by the operator"),
  dispatch_verified: say("A test dispatch succeeded"),
};

/** Completed and missing onboarding steps of each site. */
export const Onboarding = () => {
  const list = useConsoleList("/onboarding", {}, { everyMs: 30_000 });
  return (
    <Card title={say("Onboarding to production")}>
      {list.isPending && <Waiting />}
      {list.error !== null && <Fault error={list.error} onRetry={list.retry} />}
      {!list.isPending && list.items.length === 0 && <Empty>{say("No sites yet. Your operator adds them.")}</Empty>}
      <ul className="grid gap-x-8 gap-y-5 md:grid-cols-2 2xl:grid-cols-3">
        {list.items.map((site) => (
          <li key={site.site_id} className="min-w-0">
            <SiteSteps site={site} />
          </li>
        ))}
      </ul>
      {list.more !== null && (
        <div className="mt-3 text-center">
          <Button onClick={list.more} busy={list.isLoadingMore && say("Loading…")}>
            {say("Show more")}
          </Button>
        </div>
      )}
    </Card>
  );
};

/** Onboarding steps of one site. */
export const SiteSteps = ({ site: { name, steps, verification } }: { readonly site: SiteOnboarding }) => (
  <>
    <h3 className="flex flex-wrap items-center gap-2 font-semibold">
      {name} {steps.every(({ done }) => done) && <Badge tone="good">{say("in production")}</Badge>}
    </h3>
    <ol className="mt-1 grid gap-1.5">
      {steps.map((step) => (
        <li key={step.step} className="grid grid-cols-[1.5rem_1fr]">
          <span aria-hidden="true" className={step.done ? "text-good" : "text-muted"}>
            {step.done ? "✓" : "○"}
          </span>
          <span className="min-w-0">
            {names[step.step]} <span className="sr-only">{step.done ? say("(done)") : say("(not yet)")}</span>
            <span className="block text-sm text-muted first-letter:uppercase">{serviceSentence(step.detail)}</span>
          </span>
        </li>
      ))}
    </ol>
    {verification !== null && <Test test={verification} />}
  </>
);

const Test = ({ test }: { readonly test: NonNullable<SiteOnboarding["verification"]> }) => (
  <p className="mt-1 ml-6 text-sm text-muted">
    <Link to="/dashboard/dispatches/$id" params={{ id: test.dispatch_id }} className="text-accent hover:underline">
      {sayParts("Test on {time}", { time: <DayAndClock at={test.start_time} /> })}
    </Link>
    {test.delivered_kw !== null &&
      `: ${say("{delivered} of {committed}", { delivered: power(test.delivered_kw), committed: power(test.commitment_kw) })}`}
  </p>
);
