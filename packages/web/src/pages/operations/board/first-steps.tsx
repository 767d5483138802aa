import { MOST_HIDDEN_SITES } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import type { ReactNode } from "react";
import { useHint, useUser } from "../../../api/session.js";
import { isDispatched, isFinished } from "../../../rules/first-steps.js";
import { mayWrite } from "../../../rules/role.js";
import { Button, ButtonLink } from "../../../ui/button.js";
import { sayParts } from "../../../ui/say-parts.js";
import { useIsDemoThere } from "../demo/use-demo.js";
import { FirstStepsCard } from "../first-steps/first-steps-card.js";
import { useFirstSteps } from "../first-steps/use-first-steps.js";

/** On the board: the first steps until they are done or put away, and sites whose readings nobody was shown yet. */
export const FirstSteps = () => (mayWrite(useUser()) ? <Asked /> : null);

const Asked = () => {
  const { isDismissed, dismiss } = useHint("first_steps");
  const isDemo = useIsDemoThere();
  const { data } = useFirstSteps({ closely: !isDismissed });
  if (data === undefined) return null;
  return (
    <>
      {!isDismissed && !isDemo && !isFinished(data) && (
        <FirstStepsCard
          of={data}
          hasTest={!isDispatched(data)}
          actions={<Button onClick={() => void dismiss(true)}>{say("Put away")}</Button>}
        />
      )}
      {data.hidden_sites > 0 && <HiddenSites sites={data.hidden_sites} />}
    </>
  );
};

const b = (inside: ReactNode) => <span className="font-semibold">{inside}</span>;

const HiddenSites = ({ sites }: { readonly sites: number }) => (
  <section
    aria-label={say("Data visibility")}
    className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-xl bg-info-soft px-4 py-2.5"
  >
    <p className="text-info">
      {sites >= MOST_HIDDEN_SITES
        ? sayParts(
            "{n, plural, one {<b>At least # site</b> sends readings that users of the account cannot see yet.} other {<b>At least # sites</b> send readings that users of the account cannot see yet.}}",
            { n: sites, b },
          )
        : sayParts(
            "{n, plural, one {<b># site</b> sends readings that users of the account cannot see yet.} other {<b># sites</b> send readings that users of the account cannot see yet.}}",
            { n: sites, b },
          )}
    </p>
    <ButtonLink to="/operations/onboarding">{say("Make them visible")}</ButtonLink>
  </section>
);
