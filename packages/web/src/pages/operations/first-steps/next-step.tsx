import { say } from "@curtail/words/page";
import { useHint, useUser } from "../../../api/session.js";
import { type FirstSteps, nextStep, otherStep, placeOf, stepsDone, stepWords } from "../../../rules/first-steps.js";
import { mayWrite } from "../../../rules/role.js";
import { ButtonLink } from "../../../ui/button.js";
import { useIsDemoThere } from "../demo/use-demo.js";
import { useFirstSteps } from "./use-first-steps.js";

/** The next of the first steps, above the pages on which they are taken; nothing once they are done or put away. */
export const NextStep = () => {
  const { isDismissed } = useHint("first_steps");
  const writes = mayWrite(useUser());
  const isDemo = useIsDemoThere();
  return writes && !isDismissed && !isDemo && <Next />;
};

const Next = () => {
  const { data } = useFirstSteps();
  const step = data === undefined ? null : nextStep(data);
  if (data === undefined || step === null) return null;
  const other = otherStep(data);
  return (
    <section
      aria-label={say("Next of the first steps")}
      className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-xl bg-info-soft px-4 py-2.5"
    >
      <p className="min-w-0 flex-1 basis-72 text-info">
        <strong>{say("First steps, {done} of {all} done.", { done: stepsDone(data), all: data.steps.length })}</strong>{" "}
        {stepWords[step].why}
      </p>
      <span className="flex flex-wrap gap-2">
        {other !== null && <StepLink step={other} of={data} />}
        <StepLink step={step} of={data} look="primary" />
      </span>
    </section>
  );
};

/** A button that leads to where a step is taken. */
export const StepLink = ({
  step,
  of,
  look = "plain",
}: {
  readonly step: keyof typeof stepWords;
  readonly of: FirstSteps;
  readonly look?: "primary" | "plain";
}) => {
  const place = placeOf(step, of);
  return (
    place !== null && (
      <ButtonLink {...place} look={look}>
        {stepWords[step].action}
      </ButtonLink>
    )
  );
};
