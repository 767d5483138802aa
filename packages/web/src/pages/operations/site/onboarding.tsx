import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { useOperator } from "../../../api/use-call.js";
import { power } from "../../../format/quantity.js";
import { period } from "../../../format/time.js";
import { Certified } from "../../../parts/certified.js";
import { serviceSentence } from "../../../rules/service-sentences.js";
import { Badge } from "../../../ui/badge.js";
import { Card, Facts } from "../../../ui/card.js";
import { DialogButton } from "../../../ui/dialog-button.js";
import { Answered } from "../../../ui/state.js";
import { DispatchLink } from "../dispatch-link.js";
import { Step, stepWords } from "./onboarding-step.js";
import type { Site } from "./site-columns.js";
import { Verify } from "./verify.js";

/** Completed and missing onboarding steps of a site. */
export const Onboarding = ({ site, writes }: { readonly site: Site; readonly writes: boolean }) => {
  const { id, name, timezone } = site;
  return (
    <Card
      title={say("Onboarding")}
      actions={
        writes && (
          <DialogButton label={say("Start verification")} title={say("Verify {name}", { name })} address="verify">
            {(close) => <Verify site={site} onDone={close} />}
          </DialogButton>
        )
      }
    >
      <Answered of={useOperator("/sites/{id}/onboarding", { params: { id } }, { everyMs: 15_000 })}>
        {({ steps, verification, integration }) => (
          <div className="grid gap-4">
            <ol className="grid gap-3">
              {steps.map(({ step, done, at, detail }) => (
                <Step
                  key={step}
                  name={stepWords[step]}
                  done={done}
                  at={at}
                  detail={serviceSentence(detail)}
                  timeZone={timezone}
                />
              ))}
            </ol>
            <div>
              <h3 className="font-medium">{say("Integration")}</h3>
              <Certified of={integration} />
            </div>
            {verification !== null && <Verification of={verification} timeZone={timezone} />}
          </div>
        )}
      </Answered>
    </Card>
  );
};

type VerificationResult = NonNullable<operator.SiteOnboarding["verification"]>;

const stateWords: Readonly<Record<VerificationResult["state"], string>> = {
  upcoming: say("upcoming", {}, "dispatch"),
  in_progress: say("in progress"),
  ended: say("over, result pending", {}, "dispatch"),
  final: say("over", {}, "dispatch"),
  cancelled: say("cancelled", {}, "dispatch"),
};

const Verification = ({ of, timeZone }: { readonly of: VerificationResult; readonly timeZone: string }) => (
  <div className="border-t border-line pt-3">
    <h3 className="mb-2 flex flex-wrap items-center gap-2 font-medium">
      {say("Verification dispatch")}
      {of.passed ? <Badge tone="good">{say("Passed")}</Badge> : <Badge tone="warn">{say("Not passed yet")}</Badge>}
    </h3>
    <p className="mb-2">{serviceSentence(of.reason)}</p>
    <Facts
      facts={[
        [say("Dispatch"), <DispatchLink key="link" id={of.dispatch_id} />],
        [say("State"), stateWords[of.state]],
        [say("When"), `${period(of.start_time, of.end_time, timeZone)} (${timeZone})`],
        [say("Participant notified"), of.learnt ? say("yes") : say("no")],
        [say("Committed"), of.commitment_kw === null ? say("none agreed", {}, "commitment") : power(of.commitment_kw)],
        [say("Delivered"), power(of.delivered_kw)],
      ]}
    />
  </div>
);
