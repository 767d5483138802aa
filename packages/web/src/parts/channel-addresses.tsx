import type { BodyOf, operator } from "@curtail/contract";
import { ADDRESS_CHARACTERS, NAME_CHARACTERS } from "@curtail/contract/constants";
import { type AddressedChannel, addressedChannels, addressWords, formsOf } from "@curtail/contract/lists/channels";
import { say } from "@curtail/words/page";
import { useUser } from "../api/session.js";
import { useChange, useFormChange } from "../api/use-change.js";
import { mayWrite } from "../rules/role.js";
import { Badge } from "../ui/badge.js";
import { Button } from "../ui/button.js";
import { Actions } from "../ui/dialog.js";
import { ConfirmButton, DialogButton } from "../ui/dialog-button.js";
import { Field, Select } from "../ui/field.js";
import { Form } from "../ui/form.js";
import type { Listed } from "../ui/listed.js";
import { useNotify } from "../ui/notify.js";
import { DayAndClock } from "../ui/page-zone.js";
import { type Column, ListTable } from "../ui/table.js";
import { useDraft } from "../ui/use-draft.js";
import { formWords } from "./address-forms.js";
import { channelTexts, channelTitles } from "./channel-texts.js";
import { endingWords } from "./webhook-outcome.js";

type Address = operator.ChannelAddress;

/** The addresses of one account, with the calls of a side. */
export interface AddressScope {
  readonly list: Listed<Address>;
  readonly add: (address: BodyOf<typeof operator.createChannelAddress>) => Promise<Address>;
  readonly test: (id: string) => Promise<operator.AddressTest>;
  readonly remove: (id: string) => Promise<unknown>;
}

interface Of {
  readonly scope: AddressScope;
}

/** Addresses that get each dispatch and its changes, such as chat rooms. */
export const ChannelAddresses = ({ scope }: Of) => {
  const writes = mayWrite(useUser());
  return (
    <ListTable<Address>
      label={say("Channels")}
      list={scope.list}
      keyOf={({ id }) => id}
      empty={addressedChannels.map((channel) => channelTexts[channel].empty).join(" ")}
      columns={[
        { head: say("Name"), cell: (address) => <Named address={address} /> },
        { head: say("Channel"), cell: ({ channel }) => <Badge tone="info">{channelTitles[channel]}</Badge> },
        added,
        ...(writes
          ? [{ head: say("Action"), cell: (address: Address) => <RowActions scope={scope} address={address} /> }]
          : []),
      ]}
    />
  );
};

const added: Column<Address> = {
  head: say("Added"),
  cell: ({ created_at }) => <DayAndClock at={created_at} />,
  wide: true,
};

const Named = ({ address: { name, hint, last_error: error } }: { readonly address: Address }) => (
  <>
    {name}
    <div className="text-muted [overflow-wrap:anywhere]">{hint}</div>
    {error !== null && (
      <Badge tone="bad">{say("Last message: {outcome}", { outcome: endingWords({ status: null, error }) })}</Badge>
    )}
  </>
);

const RowActions = ({ scope, address }: Of & { readonly address: Address }) => (
  <span className="flex flex-wrap gap-2">
    <Test scope={scope} address={address} />
    <Remove scope={scope} address={address} />
  </span>
);

const Test = ({ scope, address: { id, name } }: Of & { readonly address: Address }) => {
  const notify = useNotify();
  const change = useChange(() => scope.test(id), {
    after: (outcome) =>
      outcome.ok
        ? notify.good(say("A test message was sent to {name}.", { name }))
        : notify.bad(say("The test failed: {why}.", { why: endingWords(outcome) })),
  });
  return (
    <Button onClick={() => change.run(undefined)} busy={change.isPending && say("Sending…")}>
      {say("Test", {}, "verb")}
    </Button>
  );
};

const Remove = ({ scope, address: { id, name } }: Of & { readonly address: Address }) => {
  const change = useChange(() => scope.remove(id), { done: say("{name} was removed.", { name }) });
  return (
    <ConfirmButton
      label={say("Remove")}
      title={say("Remove {name}?", { name })}
      action={say("Remove")}
      run={() => change.run(undefined)}
      busy={change.isPending}
    >
      {say("Dispatches will no longer be announced there.")}
    </ConfirmButton>
  );
};

/** A button for each channel. */
export const AddAddress = ({ scope }: Of) =>
  mayWrite(useUser()) &&
  addressedChannels.map((channel) => {
    const label = channelTexts[channel].add;
    return (
      <DialogButton key={channel} label={label} title={label}>
        {(close) => <NewAddress channel={channel} scope={scope} onDone={close} />}
      </DialogButton>
    );
  });

const NewAddress = ({
  channel,
  scope,
  onDone,
}: Of & { readonly channel: AddressedChannel; readonly onDone: () => void }) => {
  const { label, hint } = channelTexts[channel];
  const { example } = addressWords(channel);
  const choices = formsOf(channel).map((value) => ({ value, label: formWords(value) }));
  const draft = useDraft({ name: "", address: "", form: choices[0]?.value ?? "" });
  const change = useFormChange(
    ({ form, ...rest }: typeof draft.values) => scope.add({ channel, ...rest, ...(form === "" ? {} : { form }) }),
    { done: ({ name }) => say("{name} was added. The room has a test message.", { name }), after: onDone },
  );
  return (
    <Form onSend={() => change.run(draft.values)} error={change.error}>
      <Field label={say("Name")} maxLength={NAME_CHARACTERS} {...draft.text("name")} autoComplete="off" />
      {choices.length > 1 && <Select label={say("Service")} choices={choices} {...draft.text("form")} />}
      <Field
        label={label}
        type="url"
        maxLength={ADDRESS_CHARACTERS}
        placeholder={example}
        hint={hint}
        {...draft.text("address")}
        autoComplete="off"
      />
      <Actions>
        <Button type="submit" look="primary" busy={change.isPending && say("Testing…")}>
          {say("Test and add")}
        </Button>
        <Button onClick={onDone}>{say("Back")}</Button>
      </Actions>
    </Form>
  );
};
