import type { BodyOf, participantConsole } from "@curtail/contract";
import { callConsole } from "../../../api/call.js";
import { useFormChange } from "../../../api/use-change.js";
import { scenarioWords } from "../../../parts/scenario-words.js";
import { Button } from "../../../ui/button.js";
import { Card } from "../../../ui/card.js";
import { Actions } from "../../../ui/dialog.js";
import { Select } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";
import { useDraft } from "../../../ui/use-draft.js";

type Request = BodyOf<typeof participantConsole.createOwnScenario>;

/** A custom course is sent as JSON with POST /scenarios. */
const types = ["update", "cancellation", "basic", "ancillary_services", "back_to_back"] as const;
type Type = (typeof types)[number];

const SPEEDS = [1, 10, 60, 120, 600];

const MINUTE_MS = 60_000;
const inMinutes = (minutes: number, nowMs: number): string => new Date(nowMs + minutes * MINUTE_MS).toISOString();

/** Announced in 10 minutes, from 30 to 70 minutes ahead, divided by the speed. */
const scenarioAt = (type: Type, speed: number, nowMs: number): Request => ({
  scenario_type: type,
  speed,
  notification_time: inMinutes(10, nowMs),
  start_time: inMinutes(30, nowMs),
  end_time: inMinutes(70, nowMs),
  sites: [{ name: "Lakeside Store", customer_location_id: "STORE-0012", commitment: 100 }],
  program: { name: "Sandbox", timezone: "America/Chicago", market: "ERCOT", program_type: "capacity" },
});

const noticeWords = (speed: number): string => {
  const seconds = 600 / speed;
  return seconds >= 60 ? `${seconds / 60} minutes` : `${seconds} seconds`;
};

/** Starts a scenario in place of the running one. */
export const NewScenario = () => {
  const draft = useDraft({ type: "update", speed: "120" });
  const speed = Number(draft.values.speed);
  const start = useFormChange(
    () => callConsole("POST", "/scenarios", { body: scenarioAt(draft.values.type as Type, speed, Date.now()) }),
    { done: "The scenario was started." },
  );
  return (
    <Card title="Start a scenario">
      <Form onSend={() => start.run(undefined)} error={start.error}>
        <Select
          label="Scenario"
          choices={types.map((type) => ({ value: type, label: scenarioWords[type] }))}
          {...draft.text("type")}
          name="scenario_type"
        />
        <Select
          label="Speed"
          hint={`The dispatch is announced in ${noticeWords(speed)}. Send readings before that, for the load before.`}
          choices={SPEEDS.map((each) => ({
            value: String(each),
            label: each === 1 ? "Real time" : `${each} times faster`,
          }))}
          {...draft.text("speed")}
          name="speed"
        />
        <Actions>
          <Button type="submit" look="primary" busy={start.isPending && "Starting…"}>
            Start
          </Button>
        </Actions>
      </Form>
      <p className="mt-3 text-sm text-muted">
        It dispatches the sandbox’s site Lakeside Store by 100 kW; send its readings with the meter{" "}
        <code>mtr_sandbox_lakeside</code>. A scenario that runs is replaced. Custom courses are sent with POST
        /scenarios.
      </p>
    </Card>
  );
};
