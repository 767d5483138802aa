import { say } from "@curtail/words/page";
import { callOperator } from "../../../api/call.js";
import { useUser } from "../../../api/session.js";
import { useChange } from "../../../api/use-change.js";
import { mayWrite } from "../../../rules/role.js";
import { ConfirmButton } from "../../../ui/dialog-button.js";
import { useIsDemoThere } from "../demo/use-demo.js";
import { FirstCurve } from "./first-curve.js";
import { TestSteps } from "./test-steps.js";
import { type FirstTest, useFirstTest } from "./use-first-test.js";

/** A first test of a simulated site: its steps, and next to them what they lead to. */
export const FirstTestCards = () => {
  const test = useFirstTest();
  const isDemo = useIsDemoThere();
  const writes = mayWrite(useUser());
  // Auditors see one that somebody else has added.
  if (test === undefined || isDemo || (!writes && test.site.state === "off")) return null;
  return (
    <div className="grid gap-4 lg:grid-cols-[minmax(20rem,0.82fr)_minmax(0,1.2fr)]">
      <TestSteps test={test} writes={writes} />
      <FirstCurve test={test}>
        <p className="flex flex-wrap items-center justify-between gap-2 text-info">
          <span>{say("Simulated sites never count in reports, statements or totals.")}</span>
          {writes && test.site.state === "on" && <RemoveSimulated test={test} />}
        </p>
      </FirstCurve>
    </div>
  );
};

const RemoveSimulated = ({ test: { phase } }: { readonly test: FirstTest }) => {
  const remove = useChange(() => callOperator("DELETE", "/simulated-site", {}));
  return (
    <ConfirmButton
      label={say("Remove it…")}
      action={say("Remove the simulated site")}
      title={say("Remove the simulated site?")}
      look="plain"
      run={() => remove.run(undefined)}
      busy={remove.isPending}
    >
      <p>
        {phase === "running"
          ? say(
              "Deletes the site with its account, its program, its readings and its dispatches. The test in progress ends. You can add it again.",
            )
          : say(
              "Deletes the site with its account, its program, its readings and its dispatches. You can add it again.",
            )}
      </p>
    </ConfirmButton>
  );
};
