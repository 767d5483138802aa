import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import type { ComponentProps } from "react";
import { useChange } from "../api/use-change.js";
import { Button } from "../ui/button.js";
import { Checkbox } from "../ui/field.js";
import { useNotify } from "../ui/notify.js";
import { endingWords } from "./webhook-outcome.js";

type Contact = operator.Contact;
type PhoneChannels = operator.PhoneChannels;
type PhoneChannel = keyof PhoneChannels;
type Ticked = Pick<ComponentProps<"input">, "checked" | "onChange">;

/** Asks whether a contact gets SMS and calls; says so where the operator has set up neither. */
export const PhoneChoice = ({
  channels,
  sms,
  voice,
}: {
  /** null: not known yet. */
  readonly channels: PhoneChannels | null;
  readonly sms: Ticked;
  readonly voice: Ticked;
}) => (
  <fieldset>
    <legend className="text-sm font-medium">{say("Also notify by phone")}</legend>
    <Checkbox
      label={isMissing(channels, "sms") ? say("SMS (not set up by the operator yet)") : "SMS"}
      name="sms"
      {...sms}
    />
    <Checkbox
      label={isMissing(channels, "voice") ? say("Voice call (not set up by the operator yet)") : say("Voice call")}
      name="voice"
      {...voice}
    />
    <p className="text-sm text-muted">
      {say(
        "Each dispatch and each change, at once and at any hour. Messages help people react; they do not replace the account's systems.",
      )}
    </p>
  </fieldset>
);

const isMissing = (channels: PhoneChannels | null, channel: PhoneChannel): boolean =>
  channels !== null && !channels[channel];

/** Buttons that send a test message on each channel that the contact has chosen. */
export const PhoneTests = ({
  contact,
  channels,
  test,
}: {
  readonly contact: Contact;
  readonly channels: PhoneChannels | null;
  readonly test: (id: string, channel: PhoneChannel) => Promise<operator.PhoneTest>;
}) =>
  (["sms", "voice"] as const)
    .filter((channel) => contact[channel] && channels?.[channel] === true)
    .map((channel) => <PhoneTest key={channel} {...{ contact, channel, test }} />);

const PhoneTest = ({
  contact: { id, name },
  channel,
  test,
}: {
  readonly contact: Contact;
  readonly channel: PhoneChannel;
  readonly test: (id: string, channel: PhoneChannel) => Promise<operator.PhoneTest>;
}) => {
  const notify = useNotify();
  const change = useChange(() => test(id, channel), {
    after: ({ ok, error }) =>
      ok
        ? notify.good(
            channel === "sms"
              ? say("The gateway accepted the test SMS to {name}.", { name })
              : say("The gateway accepted the test call to {name}.", { name }),
          )
        : notify.bad(say("The test failed: {why}.", { why: endingWords({ status: null, error }) })),
  });
  return (
    <Button onClick={() => change.run(undefined)} busy={change.isPending && say("Sending…")}>
      {channel === "sms" ? say("Test SMS") : say("Test call")}
    </Button>
  );
};
