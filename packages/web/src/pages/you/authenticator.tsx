import { TOTP_DIGITS } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import qrcode from "qrcode-generator";
import { useState } from "react";
import { callAuth } from "../../api/call.js";
import { useFormChange } from "../../api/use-change.js";
import { Badge } from "../../ui/badge.js";
import { Button } from "../../ui/button.js";
import { Card } from "../../ui/card.js";
import { Copy } from "../../ui/copy.js";
import { Actions, Dialog } from "../../ui/dialog.js";
import { DialogButton } from "../../ui/dialog-button.js";
import { Field } from "../../ui/field.js";
import { Form, FormFault } from "../../ui/form.js";
import { useDraft } from "../../ui/use-draft.js";
import { ProofForm } from "./proof-form.js";
import { RecoveryCodeList, type RecoveryCodes } from "./recovery-code-list.js";

interface Begun {
  readonly secret: string | null;
  readonly otpauth_uri: string | null;
}

/** The second factor: an authenticator app, and recovery codes as a fallback. */
export const Authenticator = ({ isOn, codesLeft }: { readonly isOn: boolean; readonly codesLeft: number }) => {
  const [codes, setCodes] = useState<RecoveryCodes>(null);
  const forget = () => setCodes(null);
  return (
    <Card
      title={say("Authenticator app")}
      actions={isOn ? <Badge tone="good">{say("On")}</Badge> : <Badge tone="warn">{say("Off")}</Badge>}
    >
      {isOn ? <On codesLeft={codesLeft} onCodes={setCodes} /> : <Off onCodes={setCodes} />}
      <Dialog title={say("Your recovery codes")} open={codes !== null} onClose={forget}>
        <RecoveryCodeList codes={codes} onDone={forget} />
      </Dialog>
    </Card>
  );
};

type OnCodes = (codes: RecoveryCodes) => void;

const Off = ({ onCodes }: { readonly onCodes: OnCodes }) => {
  const [begun, setBegun] = useState<Begun | null>(null);
  if (begun?.secret && begun.otpauth_uri)
    return <Setup secret={begun.secret} uri={begun.otpauth_uri} onCodes={onCodes} />;
  return (
    <>
      <p className="mb-3 text-muted">
        {say(
          "Protects your account if your password is stolen: signing in also requires a code from an app on your phone.",
        )}
      </p>
      <DialogButton look="primary" label={say("Set up")} title={say("Set up an authenticator app")}>
        {(close) => (
          <Begin
            onBegun={(setup) => {
              setBegun(setup);
              close();
            }}
          />
        )}
      </DialogButton>
    </>
  );
};

const Begin = ({ onBegun }: { readonly onBegun: (begun: Begun) => void }) => {
  const draft = useDraft({ password: "" });
  const begin = useFormChange((body: { readonly password: string }) => callAuth("POST", "/totp", { body }), {
    after: onBegun,
  });
  return (
    <Form onSend={() => begin.run(draft.values)} error={begin.error}>
      <Field label={say("Your password")} type="password" autoComplete="current-password" {...draft.text("password")} />
      <Actions>
        <Button type="submit" look="primary" busy={begin.isPending && say("Checking…")}>
          {say("Continue")}
        </Button>
      </Actions>
    </Form>
  );
};

const On = ({ codesLeft, onCodes }: { readonly codesLeft: number; readonly onCodes: OnCodes }) => (
  <>
    <p className="mb-3 text-muted">
      {say("Signing in with your password also requires a code from your app, or a recovery code.")}{" "}
      {leftWords(codesLeft)}
    </p>
    <div className="flex flex-wrap gap-2">
      <DialogButton label={say("New recovery codes")}>
        {(close) => (
          <ProofForm
            explanation={say("Ten new codes replace the ones you have. Codes you have not used yet stop working.")}
            action={say("Create new codes")}
            send={(body) => callAuth("POST", "/recovery-codes", { body })}
            onDone={({ recovery_codes }) => {
              close();
              onCodes(recovery_codes);
            }}
          />
        )}
      </DialogButton>
      <DialogButton label={say("Remove")} title={say("Remove the authenticator app")} look="danger">
        {(close) => (
          <ProofForm
            explanation={say("Signing in will require only your password. Your recovery codes stop working.")}
            action={say("Remove")}
            look="danger"
            done={say("Authenticator app removed.")}
            send={(body) => callAuth("POST", "/totp/remove", { body })}
            onDone={close}
          />
        )}
      </DialogButton>
    </div>
  </>
);

const leftWords = (left: number): string => {
  if (left === 0) return say("You have no recovery codes left. Create new ones.");
  return say("{n, plural, one {You have # recovery code left.} other {You have # recovery codes left.}}", { n: left });
};

const Setup = ({
  secret,
  uri,
  onCodes,
}: {
  readonly secret: string;
  readonly uri: string;
  readonly onCodes: OnCodes;
}) => {
  const [code, setCode] = useState("");
  const confirm = useFormChange((typed: string) => callAuth("POST", "/totp", { body: { code: typed } }), {
    done: say("Authenticator app set up."),
    after: ({ recovery_codes }) => onCodes(recovery_codes),
  });
  return (
    <div className="grid gap-4 sm:grid-cols-[auto_1fr]">
      <img
        src={qrCode(uri)}
        alt={say("QR code for your authenticator app")}
        className="size-44 rounded-lg bg-[#fff] p-2"
      />
      <div className="grid content-start gap-3">
        <p>{say("Scan the code with your app, or type this secret into it:")}</p>
        <Copy text={secret} label={say("the secret", {}, "copied")} />
        <Form onSend={() => confirm.run(code)} error={confirm.error}>
          <Field
            label={say("Code from the app")}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={TOTP_DIGITS}
            name="code"
            value={code}
            onChange={(event) => setCode(event.target.value.trim())}
          />
          <FormFault />
          <Button type="submit" look="primary" busy={confirm.isPending && say("Checking…")}>
            {say("Confirm")}
          </Button>
        </Form>
      </div>
    </div>
  );
};

const qrCode = (text: string): string => {
  const code = qrcode(0, "M");
  code.addData(text);
  code.make();
  return code.createDataURL(4, 0);
};
