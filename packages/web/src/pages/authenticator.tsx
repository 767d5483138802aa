import qrcode from "qrcode-generator";
import { useState } from "react";
import { callAuth } from "../api/call.js";
import { useChange } from "../api/use-change.js";
import { Badge } from "../ui/badge.js";
import { Button } from "../ui/button.js";
import { Card } from "../ui/card.js";
import { Copy } from "../ui/copy.js";
import { Field, Form } from "../ui/field.js";

interface Begun {
  readonly secret: string | null;
  readonly otpauth_uri: string | null;
}

/** Sets up codes of an authenticator app: scan, type a code, done. */
export const Authenticator = ({ isOn }: { readonly isOn: boolean }) => {
  const [begun, setBegun] = useState<Begun | null>(null);
  const begin = useChange(() => callAuth("POST", "/totp", { body: {} }), { after: setBegun });
  return (
    <Card title="Authenticator app" actions={isOn ? <Badge tone="good">On</Badge> : <Badge tone="warn">Off</Badge>}>
      <p className="mb-3 text-muted">
        {isOn
          ? "Signing in with your password takes a code of your app. A new invitation from an administrator takes it off again."
          : "With a code of an app on your phone, a stolen password alone opens nothing."}
      </p>
      {!isOn && begun === null && (
        <Button look="primary" onClick={() => begin.run(undefined)} busy={begin.isPending && "One moment…"}>
          Set up
        </Button>
      )}
      {!isOn && begun?.secret && begun.otpauth_uri && (
        <Setup secret={begun.secret} uri={begun.otpauth_uri} onDone={() => setBegun(null)} />
      )}
    </Card>
  );
};

const Setup = ({
  secret,
  uri,
  onDone,
}: {
  readonly secret: string;
  readonly uri: string;
  readonly onDone: () => void;
}) => {
  const [code, setCode] = useState("");
  const confirm = useChange((typed: string) => callAuth("POST", "/totp", { body: { code: typed } }), {
    done: "Codes are asked for from now on.",
    after: onDone,
  });
  return (
    <div className="grid gap-4 sm:grid-cols-[auto_1fr]">
      <img src={qrCode(uri)} alt="QR code for your authenticator app" className="size-44 rounded-lg bg-[#fff] p-2" />
      <div className="grid content-start gap-3">
        <p>Scan the code with your app, or type this secret into it:</p>
        <Copy text={secret} label="the secret" />
        <Form onSend={() => confirm.run(code)}>
          <Field
            label="Code that the app shows"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={6}
            value={code}
            onChange={(event) => setCode(event.target.value.trim())}
          />
          <Button type="submit" look="primary" busy={confirm.isPending && "Checking…"}>
            Confirm
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
