import { ADDRESS_CHARACTERS, MAX_POLL_SECONDS } from "@curtail/contract/constants";
import type { VenDraft } from "../../../rules/ven-draft.js";
import { Checkbox, Field, Select, TextArea } from "../../../ui/field.js";
import type { Draft } from "../../../ui/use-draft.js";

/** Transport and targets of a VEN's events. */
export const VenFields = ({ draft }: { readonly draft: Draft<VenDraft> }) => (
  <>
    <Select
      label="Transport"
      choices={[
        { value: "pull", label: "Poll: the VEN requests its events" },
        { value: "push", label: "Push: events are sent to its address" },
      ]}
      {...draft.text("way")}
      name="transport"
    />
    {draft.values.way === "push" && (
      <>
        <Field
          label="Push address"
          type="url"
          maxLength={ADDRESS_CHARACTERS}
          {...draft.text("push_url")}
          name="transport.push_url"
        />
        <TextArea
          label="Certificate authority of its server (PEM, optional)"
          hint="If empty, the machine's trusted authorities apply."
          rows={4}
          {...draft.text("ca_certificate")}
          name="transport.ca_certificate"
        />
      </>
    )}
    <Field
      label="Polls every (seconds)"
      hint="The VEN counts as silent after three times this interval."
      type="number"
      min={1}
      max={MAX_POLL_SECONDS}
      {...draft.text("poll_interval")}
      name="poll_interval_seconds"
    />
    <Select
      label="Sites in events are identified by"
      choices={[
        { value: "site_id", label: "Site id" },
        { value: "customer_location_id", label: "Location id, or site id if a site has none" },
      ]}
      {...draft.text("resource")}
      name="targets.resource"
    />
    <Checkbox label="Events also name the VEN" {...draft.tick("namesVen")} />
    <Select
      label="Market context"
      choices={[
        { value: "*", label: "* for all events" },
        { value: "program", label: "One for each program" },
      ]}
      {...draft.text("market_context")}
    />
    <TextArea
      label="Sites (optional)"
      hint="Ids of the sites whose dispatches it receives, one per line. If empty, all current and future sites of the account."
      rows={3}
      {...draft.text("sites")}
    />
  </>
);
