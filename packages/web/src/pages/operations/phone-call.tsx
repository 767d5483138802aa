import { NAME_CHARACTERS } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { callOperator } from "../../api/call.js";
import { useFormChange } from "../../api/use-change.js";
import { dialled } from "../../rules/alarm-group.js";
import { Button } from "../../ui/button.js";
import { Actions } from "../../ui/dialog.js";
import { DialogButton } from "../../ui/dialog-button.js";
import { Field, Select } from "../../ui/field.js";
import { Form } from "../../ui/form.js";
import { sayParts } from "../../ui/say-parts.js";
import { useDraft } from "../../ui/use-draft.js";

export interface Callee {
  readonly dispatchId: string;
  readonly accountId: string;
  readonly accountName: string;
  /** Modification of the dispatch that the page shows: a change made meanwhile is not notified. */
  readonly modification: number | null;
  readonly contact: Contact | null;
}

interface Contact {
  readonly name: string;
  readonly email: string;
  readonly phone: string | null;
}

/** Records that an account was notified of a dispatch by phone. */
export const NotifiedByPhone = ({
  callee,
  isShort = false,
}: {
  readonly callee: Callee;
  /** A mark beside a number. */
  readonly isShort?: boolean;
}) => (
  <DialogButton
    label={isShort ? "✓" : say("Notified by phone…")}
    title={say("{account} was notified by phone", { account: callee.accountName })}
    {...(isShort ? { name: say("Record the call to {account}", { account: callee.accountName }) } : {})}
  >
    {(close) => <RecordCall callee={callee} onDone={close} />}
  </DialogButton>
);

const MINUTE_MS = 60_000;
const minutesAgo = [
  { value: "0", label: say("Now", {}, "time") },
  ...[5, 10, 15, 30, 60].map((minutes) => ({
    value: `${minutes}`,
    label: say("{n, plural, one {# minute} other {# minutes}} ago", { n: minutes }),
  })),
];

/** The form that records a call. */
export const RecordCall = ({
  callee: { dispatchId, accountId, accountName, modification, contact },
  said = "",
  onDone,
}: {
  readonly callee: Callee;
  /** What the note begins with. */
  readonly said?: string;
  readonly onDone: () => void;
}) => {
  const draft = useDraft({ person: contact?.name ?? "", note: said, ago: "0" });
  const change = useFormChange(
    ({ person, note, ago }: typeof draft.values) =>
      callOperator("POST", "/dispatches/{id}/phone-calls", {
        params: { id: dispatchId },
        body: {
          account_id: accountId,
          person: person.trim(),
          note: note.trim(),
          ...(modification === null ? {} : { modification_number: modification }),
          ...(ago === "0" ? {} : { at: new Date(Date.now() - Number(ago) * MINUTE_MS).toISOString() }),
        },
      }),
    { done: say("{account} counts as notified.", { account: accountName }), after: onDone },
  );
  return (
    <Form onSend={() => change.run(draft.values)} error={change.error}>
      {contact !== null && <p>{sayParts("Call {contact}", { contact: <Phone contact={contact} /> })}</p>}
      <Field label={say("Who was reached")} maxLength={NAME_CHARACTERS} {...draft.text("person")} autoComplete="off" />
      <Field
        label={say("Note")}
        maxLength={1000}
        hint={say("What was agreed. Only operators see it.")}
        {...draft.text("note")}
        autoComplete="off"
      />
      <Select label={say("When")} choices={minutesAgo} {...draft.text("ago")} />
      <p className="text-sm text-muted">
        {say(
          "Recorded in the evidence of the dispatch, which the account sees without the note. A later change is not notified by this call.",
        )}
      </p>
      <Actions>
        <Button type="submit" look="primary" busy={change.isPending && say("Recording…")}>
          {say("Record the call")}
        </Button>
        <Button onClick={onDone}>{say("Back")}</Button>
      </Actions>
    </Form>
  );
};

/** A contact's name and number, which a phone dials; the email address if there is none. */
export const Phone = ({ contact: { name, phone, email } }: { readonly contact: Contact }) => (
  <span className="[overflow-wrap:anywhere]">
    {name},{" "}
    {phone === null ? (
      <a href={`mailto:${email}`} className={link}>
        {email}
      </a>
    ) : (
      <a href={dialled(phone)} className={link}>
        {phone}
      </a>
    )}
  </span>
);

const link = "font-medium text-accent underline-offset-2 hover:underline";
