import { say } from "@curtail/words/page";
import { lazy, type ReactNode, Suspense } from "react";
import { useUser } from "../../../api/session.js";
import { type FirstSteps, stepsDone } from "../../../rules/first-steps.js";
import { mayWrite } from "../../../rules/role.js";
import { ButtonLink } from "../../../ui/button.js";
import { Card, Stack } from "../../../ui/card.js";
import { sayParts } from "../../../ui/say-parts.js";
import { StartDemo } from "../demo/start-demo.js";
import { StepList } from "./step-list.js";

const Cards = lazy(async () => ({ default: (await import("./first-test.js")).FirstTestCards }));

/** A first test of a simulated site. A service that is set up does without its code. */
export const FirstTest = () => (
  <Suspense fallback={<div className="min-h-112" />}>
    <Cards />
  </Suspense>
);

/** The way from an empty service to its first dispatch; the import of a file is the fast one. */
export const FirstStepsCard = ({
  of,
  actions,
  hasTest = true,
}: {
  readonly of: FirstSteps;
  readonly actions?: ReactNode;
  /** Whether to begin with a first test. */
  readonly hasTest?: boolean;
}) => {
  const writes = mayWrite(useUser());
  return (
    <Stack>
      {hasTest && <FirstTest />}
      <Card
        title={say("First steps: {done} of {all} done", { done: stepsDone(of), all: of.steps.length })}
        actions={actions}
      >
        {writes && (
          <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg bg-sunken px-3 py-2">
            <p className="min-w-0 flex-1 basis-72">
              {sayParts(
                "<strong>Many sites?</strong> One CSV file creates accounts, sites, meters and enrolments together.",
                { strong: (inside) => <span className="font-semibold">{inside}</span> },
              )}
            </p>
            <ButtonLink to="/operations/import">{say("Import a file")}</ButtonLink>
          </div>
        )}
        {writes && <StartDemo />}
        <StepList of={of} writes={writes} />
      </Card>
    </Stack>
  );
};
