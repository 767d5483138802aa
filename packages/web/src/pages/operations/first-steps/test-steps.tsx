import { say } from "@curtail/words/page";
import type { ReactNode } from "react";
import { callOperator } from "../../../api/call.js";
import { useChange, useFormChange } from "../../../api/use-change.js";
import { clock, OWN_ZONE } from "../../../format/time.js";
import { TimezoneField } from "../../../parts/timezone-field.js";
import {
  isTestStepDone,
  stepAt,
  TEST_MINUTES,
  type TestStep,
  testFrom,
  testSteps,
  timeLeft,
} from "../../../rules/first-test.js";
import { Button, ButtonLink } from "../../../ui/button.js";
import { Card } from "../../../ui/card.js";
import { Form } from "../../../ui/form.js";
import { usePageZone } from "../../../ui/page-zone.js";
import { useDraft } from "../../../ui/use-draft.js";
import { useNow } from "../../../ui/use-now.js";
import type { FirstTest } from "./use-first-test.js";

interface Of {
  readonly test: FirstTest;
  readonly writes: boolean;
}

const titles: Readonly<Record<TestStep, string>> = {
  zone: say("Choose the time zone"),
  site: say("Add a simulated site"),
  notified: say("How it is notified"),
  start: say("Start a test"),
  watch: say("Watch the curve"),
  result: say("Read the result"),
};

/** The steps of the first test, the one to take marked. */
export const TestSteps = ({ test, writes }: Of) => {
  const current = stepAt(test.phase);
  const done = testSteps.filter((step) => isTestStepDone(step, test.phase)).length;
  return (
    <Card
      flush
      title={say("A first test, without a meter")}
      actions={
        <span className="text-sm text-muted">
          {say("{done} of {all, plural, one {# step} other {# steps}} done", { done, all: testSteps.length })}
        </span>
      }
    >
      <ol>
        {testSteps.map((step, index) => (
          <li
            key={step}
            aria-current={step === current ? "step" : undefined}
            className="grid grid-cols-[1.75rem_minmax(0,1fr)] gap-x-3 border-t border-line px-4 py-2.5 aria-[current]:bg-accent-soft"
          >
            <Number at={index + 1} isDone={isTestStepDone(step, test.phase)} isCurrent={step === current} />
            <div className="min-w-0">
              <div className="font-semibold">{titles[step]}</div>
              <div className={`text-sm ${step === current ? "text-ink" : "text-muted"}`}>
                <Words step={step} test={test} />
              </div>
              {writes && <Act step={step} test={test} />}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
};

const Number = ({
  at,
  isDone,
  isCurrent,
}: {
  readonly at: number;
  readonly isDone: boolean;
  readonly isCurrent: boolean;
}) => {
  const look = isCurrent
    ? "bg-accent text-accent-ink"
    : isDone
      ? "bg-sunken text-ink"
      : "text-muted ring-2 ring-line-strong ring-inset";
  return (
    <span
      role="img"
      aria-label={isDone ? say("done", {}, "step") : say("step {at}", { at })}
      className={`grid size-7 place-items-center rounded-full text-sm font-semibold ${look}`}
    >
      {isDone ? "✓" : at}
    </span>
  );
};

const Words = ({
  step,
  test: { site, latest, phase },
}: {
  readonly step: TestStep;
  readonly test: FirstTest;
}): ReactNode => {
  const now = useNow();
  const zone = usePageZone();
  switch (step) {
    case "zone":
      return say("The site and its program have it. Real ones are asked for theirs.");
    case "site":
      return phase === "preparing"
        ? say("Making the readings of five weeks, which takes some seconds.")
        : say("One press: an account, a site with a meter, a program, {kw} kW committed.", { kw: site.commitment });
    case "notified":
      return say("By its own systems, which poll. A real account needs an email contact, polling or a webhook.");
    case "start":
      return say(
        "It is notified at once, begins in a minute and lasts {n, plural, one {# minute} other {# minutes}}.",
        { n: TEST_MINUTES },
      );
    case "watch":
      if (latest === null || (phase !== "announced" && phase !== "running"))
        return say("Its load falls within two minutes.");
      return phase === "announced"
        ? say("The test begins in {left}.", { left: timeLeft(latest.start_time, now) })
        : say("The test ends in {left}.", { left: latest.end_time === null ? "–" : timeLeft(latest.end_time, now) });
    case "result":
      return latest !== null && latest.end_time !== null && phase !== "ended"
        ? say("How the baseline was made, what counts, and a report to print. At {time}.", {
            time: clock(latest.end_time, zone),
          })
        : say("How the baseline was made, what counts, and a report to print.");
  }
};

const Act = ({
  step,
  test: { site, latest, phase },
}: {
  readonly step: TestStep;
  readonly test: FirstTest;
}): ReactNode => {
  if (step === "zone" && phase === "off")
    return site.reason === null ? <AddSimulated /> : <p className="mt-1 text-sm">{site.reason}</p>;
  if (step === "start" && phase === "ready") return <StartTest programId={site.program_id ?? ""} look="primary" />;
  if (step === "result" && phase === "ended" && latest !== null)
    return (
      <div className="mt-2 flex flex-wrap gap-2">
        <ButtonLink to="/operations/dispatches/$id" params={{ id: latest.id }} look="primary">
          {say("Read the result")}
        </ButtonLink>
        <StartTest programId={site.program_id ?? ""} label={say("Test again")} />
      </div>
    );
  return null;
};

/** The zone is this browser's unless another is chosen: the press confirms it. */
const AddSimulated = () => {
  const draft = useDraft({ timezone: OWN_ZONE });
  const add = useFormChange(() =>
    callOperator("POST", "/simulated-site", { body: { timezone: draft.values.timezone.trim() } }),
  );
  return (
    <div className="mt-2">
      <Form onSend={() => add.run(undefined)} error={add.error}>
        <TimezoneField label={say("Time zone")} {...draft.text("timezone")} />
        <div>
          <Button type="submit" look="primary" busy={add.isPending && say("Adding…")}>
            {say("Add a simulated site")}
          </Button>
        </div>
      </Form>
    </div>
  );
};

const StartTest = ({
  programId,
  label = say("Start the test"),
  look = "plain",
}: {
  readonly programId: string;
  readonly label?: string;
  readonly look?: "primary" | "plain";
}) => {
  const start = useChange(() =>
    callOperator("POST", "/dispatches", { body: { program_id: programId, test: true, ...testFrom(new Date()) } }),
  );
  return (
    <div className="mt-2">
      <Button look={look} onClick={() => start.run(undefined)} busy={start.isPending && say("Starting…")}>
        {label}
      </Button>
    </div>
  );
};
