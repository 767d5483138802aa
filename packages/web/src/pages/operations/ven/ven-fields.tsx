import { ADDRESS_CHARACTERS, MAX_POLL_SECONDS } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import type { VenDraft } from "../../../rules/ven-draft.js";
import { Checkbox, Field, Select, TextArea } from "../../../ui/field.js";
import type { Draft } from "../../../ui/use-draft.js";

/** Transport and targets of a VEN's events. */
export const VenFields = ({ draft }: { readonly draft: Draft<VenDraft> }) => (
  <>
    <Select
      label={say("Transport")}
      choices={[
        { value: "pull", label: say("Poll: the VEN requests its events") },
        { value: "push", label: say("Push: events are sent to its address") },
      ]}
      {...draft.text("way")}
      name="transport"
    />
    {draft.values.way === "push" && (
      <>
        <Field
          label={say("Push address")}
          type="url"
          maxLength={ADDRESS_CHARACTERS}
          {...draft.text("push_url")}
          name="transport.push_url"
        />
        <TextArea
          label={say("Certificate authority of its server (PEM, optional)")}
          hint={say("If empty, the machine's trusted authorities apply.")}
          rows={4}
          {...draft.text("ca_certificate")}
          name="transport.ca_certificate"
        />
      </>
    )}
    <Field
      label={say("Polls every (seconds)")}
      hint={say("The VEN counts as silent after three times this interval.")}
      type="number"
      min={1}
      max={MAX_POLL_SECONDS}
      {...draft.text("poll_interval")}
      name="poll_interval_seconds"
    />
    <Select
      label={say("Sites in events are identified by")}
      choices={[
        { value: "site_id", label: say("Site id") },
        { value: "customer_location_id", label: say("Location id, or site id if a site has none") },
      ]}
      {...draft.text("resource")}
      name="targets.resource"
    />
    <Checkbox label={say("Events also name the VEN")} {...draft.tick("namesVen")} />
    <Select
      label={say("Market context")}
      choices={[
        { value: "*", label: say("* for all events") },
        { value: "program", label: say("One for each program", {}, "market context") },
      ]}
      {...draft.text("market_context")}
    />
    <TextArea
      label={say("Sites (optional)")}
      hint={say(
        "Ids of the sites whose dispatches it receives, one per line. If empty, all current and future sites of the account.",
      )}
      rows={3}
      {...draft.text("sites")}
    />
  </>
);
