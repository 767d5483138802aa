import { useState } from "react";
import { callConsole } from "../../../api/call.js";
import { useFormChange } from "../../../api/use-change.js";
import { OneTimeLink } from "../../../parts/one-time-link.js";
import { Button } from "../../../ui/button.js";
import { Actions } from "../../../ui/dialog.js";
import { Select } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";

type Environment = "production" | "sandbox";

const choices = [
  { value: "production", label: "Production: real sites, real dispatches" },
  { value: "sandbox", label: "Sandbox: to try things out" },
] as const;

const make = (environment: Environment) => callConsole("POST", "/keys", { body: { environment } });

/** Issues a key: what one gets is a link that shows it once, to be opened by whoever needs it. */
export const NewKey = ({ onClose }: { readonly onClose: () => void }) => {
  const [environment, setEnvironment] = useState<Environment>("production");
  const [claim, setClaim] = useState<Awaited<ReturnType<typeof make>> | null>(null);
  const issue = useFormChange(make, { after: setClaim });
  if (claim !== null)
    return (
      <OneTimeLink url={claim.claim_url} expiresAt={claim.claim_expires_at} onDone={onClose}>
        Send this link to whoever sets up the system, or open it yourself. Whoever opens it and presses the button sees
        the key, <strong>once</strong>; nobody, we neither, can show it a second time.
      </OneTimeLink>
    );
  return (
    <Form onSend={() => issue.run(environment)} error={issue.error}>
      <Select
        label="Environment"
        choices={choices}
        name="environment"
        value={environment}
        onChange={(event) => setEnvironment(event.target.value === "sandbox" ? "sandbox" : "production")}
        hint="A key is accepted in this environment only. Each may have two keys at a time."
      />
      <Actions>
        <Button type="submit" look="primary" busy={issue.isPending && "Making…"}>
          Make key
        </Button>
        <Button onClick={onClose}>Back</Button>
      </Actions>
    </Form>
  );
};
