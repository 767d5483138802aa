import { say } from "@curtail/words/page";
import { callConsole } from "../../../api/call.js";
import { useFormChange } from "../../../api/use-change.js";
import { scenarioWords } from "../../../parts/scenario-words.js";
import { scenarioAt } from "../../../rules/scenario-draft.js";
import { Button } from "../../../ui/button.js";
import { Card } from "../../../ui/card.js";
import { Actions } from "../../../ui/dialog.js";
import { Select } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";
import { sayParts } from "../../../ui/say-parts.js";
import { useDraft } from "../../../ui/use-draft.js";
import { CustomScenario } from "./custom-scenario.js";

const types = ["update", "cancellation", "basic", "ancillary_services", "back_to_back"] as const;
type Type = (typeof types)[number];

const SPEEDS = [1, 10, 60, 120, 600];

const noticeWords = (speed: number): string => {
  const seconds = 600 / speed;
  return seconds >= 60
    ? say("The dispatch is announced in {n, plural, one {# minute} other {# minutes}}.", { n: seconds / 60 })
    : say("The dispatch is announced in {n, plural, one {# second} other {# seconds}}.", { n: seconds });
};

/** Starts a scenario in place of the running one. */
export const NewScenario = () => {
  const draft = useDraft({ type: "update", speed: "120" });
  const speed = Number(draft.values.speed);
  const start = useFormChange(
    () => callConsole("POST", "/scenarios", { body: scenarioAt(draft.values.type as Type, speed, Date.now()) }),
    { done: say("The scenario was started.") },
  );
  return (
    <Card title={say("Start a scenario")} actions={<CustomScenario />}>
      <Form onSend={() => start.run(undefined)} error={start.error}>
        <Select
          label={say("Scenario")}
          choices={types.map((type) => ({ value: type, label: scenarioWords[type] }))}
          {...draft.text("type")}
          name="scenario_type"
        />
        <Select
          label={say("Speed")}
          hint={`${noticeWords(speed)} ${say("Send readings before that, for the load before.")}`}
          choices={SPEEDS.map((each) => ({
            value: String(each),
            label: each === 1 ? say("Real time") : say("{n} times faster", { n: each }),
          }))}
          {...draft.text("speed")}
          name="speed"
        />
        <Actions>
          <Button type="submit" look="primary" busy={start.isPending && say("Starting…")}>
            {say("Start")}
          </Button>
        </Actions>
      </Form>
      <p className="mt-3 text-sm text-muted">
        {sayParts(
          "It dispatches the sandbox’s site Lakeside Store by 100 kW; send its readings with the meter {meter}. A scenario that runs is replaced.",
          { meter: <code>mtr_sandbox_lakeside</code> },
        )}
      </p>
    </Card>
  );
};
