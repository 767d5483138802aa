import { type FirstSteps, nextStep, placeOf, type StepName, stepWords } from "../../../rules/first-steps.js";
import { TextLink } from "../../../ui/text-link.js";
import { Mark } from "../site/onboarding-step.js";
import { StepLink } from "./next-step.js";

/** All first steps: what is done, what is next, and why. */
export const StepList = ({ of, writes }: { readonly of: FirstSteps; readonly writes: boolean }) => {
  const next = nextStep(of);
  return (
    <ol className="grid gap-x-8 gap-y-4 md:grid-cols-2 xl:grid-cols-3">
      {of.steps.map(({ step, done }, index) => (
        <li key={step} aria-current={step === next ? "step" : undefined} className="flex min-w-0 gap-3">
          <Mark done={done} />
          <div className="min-w-0">
            <div className="font-medium">
              <span className="text-muted">{index + 1}.</span>{" "}
              <Title step={step} of={of} isLink={writes && !done && step !== next} />
            </div>
            <p className="text-sm text-muted">{stepWords[step].why}</p>
            {writes && step === next && (
              <div className="mt-2">
                <StepLink step={step} of={of} />
              </div>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
};

const Title = ({
  step,
  of,
  isLink,
}: {
  readonly step: StepName;
  readonly of: FirstSteps;
  readonly isLink: boolean;
}) => {
  const place = isLink ? placeOf(step, of) : null;
  const { title } = stepWords[step];
  return place === null ? title : <TextLink {...place}>{title}</TextLink>;
};
