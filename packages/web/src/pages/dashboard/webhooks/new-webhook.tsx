import type { Webhook } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { useState } from "react";
import { callConsole } from "../../../api/call.js";
import { useFormChange } from "../../../api/use-change.js";
import { EnvironmentField, type EnvironmentName } from "../../../parts/environment.js";
import { Button } from "../../../ui/button.js";
import { Actions } from "../../../ui/dialog.js";
import { Checkbox, Choices, Field } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";

type EventName = Webhook["events"][number]["name"];

/** Registers a webhook. The service first sends a test request and reports what was wrong with the response. */
export const NewWebhook = ({
  onClose,
  environment: proposed = "production",
}: {
  readonly onClose: () => void;
  readonly environment?: EnvironmentName;
}) => {
  const [url, setUrl] = useState("https://");
  const [events, setEvents] = useState<readonly EventName[]>(["dispatch.create", "dispatch.update"]);
  const [environment, setEnvironment] = useState<EnvironmentName>(proposed);
  const add = useFormChange(
    () =>
      callConsole("POST", "/webhooks", {
        query: { environment },
        body: { url, events: events.map((name) => ({ name })) },
      }),
    { done: say("The webhook answered the test request and was added."), after: onClose },
  );
  const toggle = (name: EventName, on: boolean) =>
    setEvents(on ? [...events, name] : events.filter((each) => each !== name));
  return (
    <Form onSend={() => add.run(undefined)} error={add.error}>
      <Field
        label={say("Address")}
        type="url"
        name="url"
        value={url}
        onChange={(event) => setUrl(event.target.value)}
        hint={say(
          "An https address that is reachable from the internet. We send a test request now; it must answer with status 200.",
        )}
      />
      <EnvironmentField
        value={environment}
        onChange={setEnvironment}
        hint={say("Sandbox webhooks are notified of the scenarios that you run there.")}
      />
      <Choices label={say("Events")} name="events">
        <Checkbox
          label={say("New dispatches")}
          checked={events.includes("dispatch.create")}
          onChange={(event) => toggle("dispatch.create", event.target.checked)}
        />
        <Checkbox
          label={say("Changes to dispatches, including cancellations")}
          checked={events.includes("dispatch.update")}
          onChange={(event) => toggle("dispatch.update", event.target.checked)}
        />
      </Choices>
      <Actions>
        <Button type="submit" look="primary" busy={add.isPending && say("Sending the test…")}>
          {say("Test and add")}
        </Button>
        <Button onClick={onClose}>{say("Back")}</Button>
      </Actions>
    </Form>
  );
};
