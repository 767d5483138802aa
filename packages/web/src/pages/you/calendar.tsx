import type { auth } from "@curtail/contract";
import { NAME_CHARACTERS } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { type ComponentProps, useState } from "react";
import { callAuth } from "../../api/call.js";
import { useUser } from "../../api/session.js";
import { useAuthList } from "../../api/use-call.js";
import { useChange, useFormChange } from "../../api/use-change.js";
import { ago } from "../../format/time.js";
import { isOperator } from "../../rules/role.js";
import { Button } from "../../ui/button.js";
import { Card } from "../../ui/card.js";
import { Copy } from "../../ui/copy.js";
import { Actions } from "../../ui/dialog.js";
import { ConfirmButton, DialogButton } from "../../ui/dialog-button.js";
import { Field, Select } from "../../ui/field.js";
import { Form } from "../../ui/form.js";
import { sayParts } from "../../ui/say-parts.js";
import { ListTable } from "../../ui/table.js";
import { useDraft } from "../../ui/use-draft.js";
import { useNow } from "../../ui/use-now.js";
import { usePrograms } from "../operations/use-programs.js";

/** Secret addresses at which the user's calendar programs read dispatches. */
export const Calendars = () => {
  const now = useNow();
  return (
    <Card title={say("Calendars")} actions={<NewCalendar />} flush>
      <p className="px-4 pb-3 text-muted">
        {say(
          "See dispatches in Google Calendar, Outlook or the calendar of your phone. They appear with their changes, cancellations and a reminder 15 minutes before the start. Calendar programs look every few minutes to once a day: do not rely on them to learn of a dispatch.",
        )}
      </p>
      <ListTable<auth.Calendar>
        label={say("Calendars")}
        list={useAuthList("/calendars", {})}
        keyOf={({ id }) => id}
        empty={say("No calendars. Create one and add its address to your calendar program.")}
        columns={[
          { head: say("Name"), cell: ({ name }) => <span className="[overflow-wrap:anywhere]">{name}</span> },
          { head: say("Created"), cell: ({ created_at }) => ago(created_at, now), wide: true },
          {
            head: say("Last read"),
            cell: ({ last_used_at }) => (last_used_at === null ? say("never") : ago(last_used_at, now)),
          },
          { head: say("Action"), cell: (calendar) => <Delete calendar={calendar} /> },
        ]}
      />
    </Card>
  );
};

const Delete = ({ calendar: { id, name } }: { readonly calendar: auth.Calendar }) => {
  const change = useChange(() => callAuth("DELETE", "/calendars/{id}", { params: { id } }), {
    done: say("Calendar deleted."),
  });
  return (
    <ConfirmButton
      label={say("Delete")}
      title={say("Delete {name}?", { name })}
      look="danger"
      run={() => change.run(undefined)}
      busy={change.isPending}
    >
      {say(
        "Its address stops working at once. Remove the calendar from the programs that read it, too: some keep showing what they read last.",
      )}
    </ConfirmButton>
  );
};

const NewCalendar = () => (
  <DialogButton label={say("New calendar")}>{(close) => <CreateThenShow onDone={close} />}</DialogButton>
);

const CreateThenShow = ({ onDone }: { readonly onDone: () => void }) => {
  const [created, setCreated] = useState<auth.NewCalendar | null>(null);
  return created === null ? <Create onCreated={setCreated} /> : <Address url={created.url} onDone={onDone} />;
};

const Create = ({ onCreated }: { readonly onCreated: (calendar: auth.NewCalendar) => void }) => {
  const draft = useDraft({ name: "", program_id: "" });
  const { name, program_id } = draft.values;
  const change = useFormChange(
    () => callAuth("POST", "/calendars", { body: { name, program_id: program_id === "" ? null : program_id } }),
    { after: onCreated },
  );
  return (
    <Form onSend={() => change.run(undefined)} error={change.error}>
      <Field
        label={say("Name")}
        hint={say("For example the device that reads it: My phone.")}
        maxLength={NAME_CHARACTERS}
        autoComplete="off"
        {...draft.text("name")}
      />
      {isOperator(useUser()) && <Program {...draft.text("program_id")} />}
      <Actions>
        <Button type="submit" look="primary" busy={change.isPending && say("Creating…")}>
          {say("Create")}
        </Button>
      </Actions>
    </Form>
  );
};

const Program = (field: ComponentProps<"select">) => {
  const { items } = usePrograms();
  return (
    <Select
      label={say("Dispatches")}
      {...field}
      choices={[
        { value: "", label: say("All programs") },
        ...items.map(({ id, name }) => ({ value: id, label: say("Only {name}", { name }) })),
      ]}
    />
  );
};

const Address = ({ url, onDone }: { readonly url: string; readonly onDone: () => void }) => (
  <div className="grid gap-3">
    <Copy text={url} label={say("the address", {}, "copied")} />
    <p>
      {sayParts(
        "In Google Calendar choose <b>Other calendars › From URL</b>, in Outlook <b>Add calendar › Subscribe from web</b>. <a>Open it in the calendar of this device</a>.",
        {
          b: (inside) => <b>{inside}</b>,
          a: (inside) => (
            <a className="text-accent underline" href={url.replace(/^https?:/, "webcal:")}>
              {inside}
            </a>
          ),
        },
      )}
    </p>
    <p className="text-muted">
      {say(
        "Anyone who has the address can read your dispatches. It is not shown again: copy it now, and delete the calendar here if somebody else has seen it.",
      )}
    </p>
    <Actions>
      <Button look="primary" onClick={onDone}>
        {say("Done")}
      </Button>
    </Actions>
  </div>
);
