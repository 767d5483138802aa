import { say } from "@curtail/words/page";
import { callOperator } from "../../../api/call.js";
import { useUser } from "../../../api/session.js";
import { useChange } from "../../../api/use-change.js";
import { mayWrite } from "../../../rules/role.js";
import type { Ven } from "../../../rules/ven-draft.js";
import { Badge, type Tone } from "../../../ui/badge.js";
import { Card } from "../../../ui/card.js";
import { ConfirmButton, DialogButton } from "../../../ui/dialog-button.js";
import { Exact } from "../../../ui/page-zone.js";
import { sayParts } from "../../../ui/say-parts.js";
import { Table } from "../../../ui/table.js";
import { Certify } from "./certify.js";

type Certificate = Ven["certificates"][number];

const states: Readonly<Record<Certificate["state"], readonly [Tone, string]>> = {
  valid: ["good", say("Valid", {}, "certificate")],
  revoked: ["bad", say("Revoked", {}, "certificate")],
  expired: ["neutral", say("Expired", {}, "certificate")],
};

export const Certificates = ({ ven }: { readonly ven: Ven }) => {
  const writes = mayWrite(useUser());
  return (
    <Card
      flush
      title={say("Certificates")}
      actions={
        writes && (
          <DialogButton look="primary" label={say("Certify")} title={say("Certify {name}", { name: ven.ven_id })}>
            {(close) => <Certify ven={ven} onDone={close} />}
          </DialogButton>
        )
      }
    >
      <Table
        label={say("Certificates")}
        rows={ven.certificates}
        keyOf={({ fingerprint }) => fingerprint}
        empty={say("No certificates yet. The VEN needs one to connect.")}
        columns={[
          {
            head: say("Certificate"),
            cell: ({ short_fingerprint, created_at, expires_at }) => (
              <>
                <code>{short_fingerprint}</code>
                <div className="text-muted">
                  {sayParts("issued {issued}, valid until {expires}", {
                    issued: <Exact at={created_at} />,
                    expires: <Exact at={expires_at} />,
                  })}
                </div>
              </>
            ),
          },
          { head: say("State"), cell: ({ state }) => <Badge tone={states[state][0]}>{states[state][1]}</Badge> },
          ...(writes
            ? [
                {
                  head: say("Action"),
                  cell: (certificate: Certificate) =>
                    certificate.state === "valid" && <Revoke venId={ven.id} certificate={certificate} />,
                },
              ]
            : []),
        ]}
      />
    </Card>
  );
};

const Revoke = ({
  venId,
  certificate: { fingerprint, short_fingerprint },
}: {
  readonly venId: string;
  readonly certificate: Certificate;
}) => {
  const revoke = useChange(
    () => callOperator("DELETE", "/vens/{id}/certificates/{fingerprint}", { params: { id: venId, fingerprint } }),
    { done: say("Certificate revoked.") },
  );
  return (
    <ConfirmButton
      label={say("Revoke")}
      look="danger"
      title={say("Revoke this certificate?")}
      run={() => revoke.run(undefined)}
      busy={revoke.isPending}
    >
      {say("Connections with {fingerprint} are rejected immediately. This cannot be undone.", {
        fingerprint: short_fingerprint,
      })}
    </ConfirmButton>
  );
};
