import type { operator } from "@curtail/contract";
import { EMAIL_CHARACTERS, NAME_CHARACTERS, PHONE_CHARACTERS } from "@curtail/contract/constants";
import type { Language } from "@curtail/contract/lists/languages";
import { say } from "@curtail/words/page";
import { useState } from "react";
import { useUser } from "../api/session.js";
import { useChange, useFormChange } from "../api/use-change.js";
import { mayWrite } from "../rules/role.js";
import { Badge } from "../ui/badge.js";
import { Button } from "../ui/button.js";
import { Actions } from "../ui/dialog.js";
import { ConfirmButton, DialogButton } from "../ui/dialog-button.js";
import { Field } from "../ui/field.js";
import { Form } from "../ui/form.js";
import { LanguageChoice, LanguageName } from "../ui/language-choice.js";
import type { Listed } from "../ui/listed.js";
import { DayAndClock } from "../ui/page-zone.js";
import { type Column, ListTable } from "../ui/table.js";
import { useDraft } from "../ui/use-draft.js";
import { PhoneChoice, PhoneTests } from "./contact-phone.js";
import type { Side } from "./side.js";

type Contact = operator.Contact;
type PhoneChannels = operator.PhoneChannels;
type PhoneChannel = keyof PhoneChannels;

/** The contacts of one account, with the calls of a side. */
export interface ContactScope {
  readonly side: Side;
  readonly list: Listed<Contact>;
  readonly channels: PhoneChannels | null;
  readonly add: (contact: Pick<Contact, "name" | "email" | "phone" | "sms" | "voice" | "language">) => Promise<Contact>;
  readonly test: (id: string, channel: PhoneChannel) => Promise<operator.PhoneTest>;
  readonly remove: (id: string) => Promise<unknown>;
}

interface Of {
  readonly scope: ContactScope;
}

const words = {
  own: {
    label: say("Contacts"),
    empty: say("No contacts yet. Add one to be mailed when a dispatch does not reach your systems."),
    adding: say("Add contact"),
    added: () => say("Contact added."),
    removed: () => say("Contact removed."),
    remove: say("Remove contact"),
    removing: (name: string) =>
      say("{name} will no longer be mailed when a dispatch does not reach your systems.", { name }),
  },
  operators: {
    label: say("Dispatch contacts"),
    empty: say(
      "No contacts yet. Add a person to mail or phone when a dispatch does not reach the participant's systems.",
    ),
    adding: say("Add a dispatch contact"),
    added: (name: string) => say("{name} was added.", { name }),
    removed: (name: string) => say("{name} was removed.", { name }),
    remove: say("Remove"),
    removing: (name: string) =>
      say("{name} will no longer be mailed or phoned when a dispatch does not reach the account.", { name }),
  },
} as const;

/** Contacts that are emailed when an account's systems cannot be reached. */
export const Contacts = ({ scope }: Of) => {
  const { label, empty } = words[scope.side];
  const writes = mayWrite(useUser());
  return (
    <ListTable<Contact>
      label={label}
      list={scope.list}
      keyOf={({ id }) => id}
      empty={empty}
      columns={[
        { head: say("Name"), cell: (contact) => <Person contact={contact} /> },
        { head: say("Phone"), cell: (contact) => <Phone contact={contact} /> },
        ...(scope.side === "operators" ? [since] : []),
        ...(writes
          ? [{ head: say("Action"), cell: (contact: Contact) => <RowActions scope={scope} contact={contact} /> }]
          : []),
      ]}
    />
  );
};

/** The address below the name: a phone has no room for both in one line. */
const Person = ({ contact: { name, email, language } }: { readonly contact: Contact }) => (
  <>
    {name}
    <div className="text-muted [overflow-wrap:anywhere]">{email}</div>
    {language !== null && (
      <div className="text-muted">
        <LanguageName of={language} />
      </div>
    )}
  </>
);

const Phone = ({ contact: { phone, sms, voice } }: { readonly contact: Contact }) => (
  <span className="flex flex-wrap items-center gap-1">
    <span className="whitespace-nowrap">{phone ?? "–"}</span>
    {sms && <Badge tone="info">SMS</Badge>}
    {voice && <Badge tone="info">{say("Calls")}</Badge>}
  </span>
);

const RowActions = ({ scope, contact }: Of & { readonly contact: Contact }) => (
  <span className="flex flex-wrap gap-2">
    <PhoneTests contact={contact} channels={scope.channels} test={scope.test} />
    <Remove scope={scope} contact={contact} />
  </span>
);

const since: Column<Contact> = {
  head: say("Added"),
  cell: ({ created_at }) => <DayAndClock at={created_at} />,
  wide: true,
};

export const AddContact = ({ scope }: Of) =>
  mayWrite(useUser()) && (
    <DialogButton look="primary" label={say("Add contact")} title={words[scope.side].adding} address="new">
      {(close) => <NewContact scope={scope} onDone={close} />}
    </DialogButton>
  );

const NewContact = ({ scope: { side, add, channels }, onDone }: Of & { readonly onDone: () => void }) => {
  const draft = useDraft({ name: "", email: "", phone: "", sms: false, voice: false });
  const [language, setLanguage] = useState<Language | null>(null);
  const change = useFormChange(
    ({ phone, ...rest }: typeof draft.values) => add({ ...rest, phone: phone === "" ? null : phone, language }),
    { done: ({ name }) => words[side].added(name), after: onDone },
  );
  return (
    <Form onSend={() => change.run(draft.values)} error={change.error}>
      <Field label={say("Name")} maxLength={NAME_CHARACTERS} {...draft.text("name")} autoComplete="off" />
      <Field
        label={say("Email")}
        type="email"
        maxLength={EMAIL_CHARACTERS}
        {...draft.text("email")}
        autoComplete="off"
      />
      <Field
        label={say("Phone")}
        type="tel"
        maxLength={PHONE_CHARACTERS}
        hint={say("Optional, international: +1 555 010 0200. Operators call it when mail fails.")}
        {...draft.text("phone")}
        autoComplete="off"
      />
      <PhoneChoice channels={channels} sms={draft.tick("sms")} voice={draft.tick("voice")} />
      <LanguageChoice value={language} none={say("That of the account")} onChoose={setLanguage} />
      <Actions>
        <Button type="submit" look="primary" busy={change.isPending && say("Adding…")}>
          {say("Add")}
        </Button>
        {side === "own" && <Button onClick={onDone}>{say("Back")}</Button>}
      </Actions>
    </Form>
  );
};

const Remove = ({ scope, contact: { id, name } }: Of & { readonly contact: Contact }) => {
  const { remove, removed, removing } = words[scope.side];
  const change = useChange(() => scope.remove(id), { done: removed(name) });
  return (
    <ConfirmButton
      label={say("Remove")}
      title={say("Remove {name}?", { name })}
      action={remove}
      run={() => change.run(undefined)}
      busy={change.isPending}
    >
      {removing(name)}
    </ConfirmButton>
  );
};
