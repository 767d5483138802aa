import { useState } from "react";
import { callConsole } from "../../api/call.js";
import { useChange } from "../../api/use-change.js";
import { exact } from "../../format/time.js";
import { Button } from "../../ui/button.js";
import { Copy } from "../../ui/copy.js";
import { Actions } from "../../ui/dialog.js";
import { Form, Select } from "../../ui/field.js";
import { Fault } from "../../ui/state.js";

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
  const issue = useChange(make, { after: setClaim });
  if (claim !== null) return <Claim url={claim.claim_url} until={claim.claim_expires_at} onClose={onClose} />;
  return (
    <Form onSend={() => issue.run(environment)}>
      <Select
        label="Environment"
        choices={choices}
        value={environment}
        onChange={(event) => setEnvironment(event.target.value === "sandbox" ? "sandbox" : "production")}
        hint="A key is accepted in this environment only. Each may have two keys at a time."
      />
      {issue.error !== null && <Fault error={issue.error} />}
      <Actions>
        <Button type="submit" look="primary" busy={issue.isPending && "Making…"}>
          Make key
        </Button>
        <Button onClick={onClose}>Back</Button>
      </Actions>
    </Form>
  );
};

const Claim = ({
  url,
  until,
  onClose,
}: {
  readonly url: string;
  readonly until: string;
  readonly onClose: () => void;
}) => (
  <div className="grid gap-3">
    <p>
      Send this link to whoever sets up the system, or open it yourself. It shows the key <strong>once</strong>, to the
      first who opens it and presses the button; nobody, we neither, can show it a second time.
    </p>
    <Copy text={url} label="link" />
    <p className="text-muted">The link works until {exact(until)}.</p>
    <Actions>
      <Button look="primary" onClick={onClose}>
        Done
      </Button>
    </Actions>
  </div>
);
