import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { type ReactNode, useState } from "react";
import { useUser } from "../api/session.js";
import { useFormChange } from "../api/use-change.js";
import { nextDay, startOfDay } from "../format/local-time.js";
import { OWN_ZONE } from "../format/time.js";
import { mayWrite } from "../rules/role.js";
import { Button } from "../ui/button.js";
import { Actions } from "../ui/dialog.js";
import { DialogButton } from "../ui/dialog-button.js";
import { Field, Select } from "../ui/field.js";
import { Form } from "../ui/form.js";
import type { Listed } from "../ui/listed.js";
import { sayParts } from "../ui/say-parts.js";
import { useDraft } from "../ui/use-draft.js";
import type { EnvironmentName } from "./environment.js";
import { OneTimeLink } from "./one-time-link.js";
import type { Side } from "./side.js";

interface IssuedKey {
  readonly claim_url: string;
  readonly claim_expires_at: string;
}

/** The keys of one account, with the calls of a side. */
export interface KeyScope {
  readonly side: Side;
  /** The only environment to issue keys for; either if absent. */
  readonly only?: EnvironmentName;
  readonly list: Listed<operator.ApiKey>;
  readonly issue: (key: {
    readonly environment: EnvironmentName;
    readonly expires_at?: string | null;
  }) => Promise<IssuedKey>;
  /** @param isConfirmed also while a dispatch of the account is in progress */
  readonly revoke: (id: string, isConfirmed: boolean) => Promise<unknown>;
}

interface Words {
  readonly title: string;
  readonly production: string;
  readonly sandbox: string;
  readonly hint: string;
  readonly make: string;
  readonly making: string;
  /** What the link reveals. */
  readonly link: ReactNode;
}

const words: Readonly<Record<Side, Words>> = {
  own: {
    title: say("New key"),
    production: say("Production: real sites, real dispatches"),
    sandbox: say("Sandbox: for testing"),
    hint: say("A key works in this environment only. Each environment may have two keys at a time."),
    make: say("Create key"),
    making: say("Creating…"),
    link: sayParts(
      "Open this link yourself, or send it to the person who sets up the system. The page reveals the key <b>once</b>. It cannot be shown again.",
      { b: (inside) => <strong>{inside}</strong> },
    ),
  },
  operators: {
    title: say("New API key"),
    production: say("Production"),
    sandbox: say("Sandbox"),
    hint: say("The environment that accepts the key. The sandbox has simulated dispatches for testing."),
    make: say("Create link"),
    making: say("Creating…"),
    link: say("Send this link to the participant. The page reveals the key once."),
  },
};

interface Of {
  readonly scope: KeyScope;
}

export const AddKey = ({ scope }: Of) =>
  mayWrite(useUser()) && (
    <DialogButton look="primary" label={say("New key")} title={words[scope.side].title}>
      {(close) => <NewKey scope={scope} onDone={close} />}
    </DialogButton>
  );

interface Wanted {
  readonly environment: EnvironmentName;
  readonly expires: string;
}

/** Issues a key through a one-time link, so that only the person who opens the link sees it. */
const NewKey = ({ scope: { side, only, issue }, onDone }: Of & { readonly onDone: () => void }) => {
  const { production, sandbox, hint, make, making, link } = words[side];
  const [issued, setIssued] = useState<IssuedKey | null>(null);
  const draft = useDraft<Wanted>({ environment: only ?? "production", expires: "" });
  const change = useFormChange(
    ({ environment, expires }: Wanted) =>
      issue(side === "own" ? { environment } : { environment, expires_at: endOf(expires) }),
    { after: setIssued },
  );
  if (issued !== null)
    return (
      <OneTimeLink url={issued.claim_url} expiresAt={issued.claim_expires_at} onDone={onDone}>
        {link}
      </OneTimeLink>
    );
  return (
    <Form onSend={() => change.run(draft.values)} error={change.error}>
      {only === undefined ? (
        <Select
          label={say("Environment")}
          hint={hint}
          choices={[
            { value: "production", label: production },
            { value: "sandbox", label: sandbox },
          ]}
          {...draft.text("environment")}
        />
      ) : (
        <p className="text-muted">{hint}</p>
      )}
      {side === "operators" && (
        <Field
          label={say("Last day (optional)")}
          hint={say("If empty, the key never expires. The day ends at midnight in {zone}.", { zone: OWN_ZONE })}
          type="date"
          {...draft.text("expires")}
          name="expires_at"
        />
      )}
      <Actions>
        <Button type="submit" look="primary" busy={change.isPending && making}>
          {make}
        </Button>
        {side === "own" && <Button onClick={onDone}>{say("Back")}</Button>}
      </Actions>
    </Form>
  );
};

/** The end of the viewer's day. */
const endOf = (day: string): string | null =>
  day === "" ? null : (startOfDay(nextDay(day), OWN_ZONE)?.toISOString() ?? null);
