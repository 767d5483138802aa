import { MAX_CERTIFICATE_DAYS } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { useState } from "react";
import { callOperator } from "../../../api/call.js";
import { useFormChange } from "../../../api/use-change.js";
import { OneTimeLink } from "../../../parts/one-time-link.js";
import type { Ven } from "../../../rules/ven-draft.js";
import { Button } from "../../../ui/button.js";
import { Copy } from "../../../ui/copy.js";
import { Actions } from "../../../ui/dialog.js";
import { Field, Select, TextArea } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";
import { Exact } from "../../../ui/page-zone.js";
import { sayParts } from "../../../ui/say-parts.js";
import { useDraft } from "../../../ui/use-draft.js";

type Answer = Awaited<ReturnType<typeof certify>>;
interface Wanted {
  readonly way: "link" | "csr";
  readonly csr: string;
  readonly days: string;
}

const certify = (id: string, { way, csr, days }: Wanted) =>
  callOperator("POST", "/vens/{id}/certificates", {
    params: { id },
    body: { ...(way === "csr" ? { csr } : {}), days: Number(days) },
  });

/** Issues a certificate for the VEN's own key, or a one-time link to a new key and certificate. */
export const Certify = ({ ven, onDone }: { readonly ven: Ven; readonly onDone: () => void }) => {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const draft = useDraft<Wanted>({ way: "link", csr: "", days: "365" });
  const send = useFormChange((wanted: Wanted) => certify(ven.id, wanted), { after: setAnswer });
  if (answer !== null) return <Outcome answer={answer} onDone={onDone} />;
  return (
    <Form onSend={() => send.run(draft.values)} error={send.error}>
      <Select
        label={say("Private key of the VEN")}
        choices={[
          { value: "link", label: say("Create it with a one-time link") },
          { value: "csr", label: say("Kept on the VEN: I have a certificate request") },
        ]}
        {...draft.text("way")}
      />
      {draft.values.way === "csr" && (
        <TextArea
          label={say("Certificate request (PEM)")}
          hint={say("Created with the VEN's key. Begins with -----BEGIN CERTIFICATE REQUEST-----.")}
          rows={8}
          {...draft.text("csr")}
        />
      )}
      <Field label={say("Valid for (days)")} type="number" min={1} max={MAX_CERTIFICATE_DAYS} {...draft.text("days")} />
      <Actions>
        <Button type="submit" look="primary" busy={send.isPending && say("Certifying…")}>
          {draft.values.way === "csr" ? say("Certify") : say("Create link")}
        </Button>
      </Actions>
    </Form>
  );
};

const Outcome = ({ answer, onDone }: { readonly answer: Answer; readonly onDone: () => void }) =>
  "claim_url" in answer ? (
    <OneTimeLink url={answer.claim_url} expiresAt={answer.claim_expires_at} onDone={onDone}>
      {say(
        "Send this link to the person who sets up the VEN. The page creates the key and its certificate, and shows both once.",
      )}
    </OneTimeLink>
  ) : (
    <div className="grid gap-3">
      <p>
        {sayParts("The certificate is valid until {time}. Install these two on the VEN:", {
          time: <Exact at={answer.expires_at} />,
        })}
      </p>
      <h3 className="font-medium">{say("Certificate of the VEN")}</h3>
      <Copy text={answer.certificate} label={say("the certificate", {}, "copied")} />
      <h3 className="font-medium">{say("Certificate of the authority, to verify this service")}</h3>
      <Copy text={answer.ca_certificate} label={say("the authority's certificate", {}, "copied")} />
      <Actions>
        <Button look="primary" onClick={onDone}>
          {say("Done")}
        </Button>
      </Actions>
    </div>
  );
