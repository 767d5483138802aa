import { ADDRESS_CHARACTERS, MAX_POLL_SECONDS } from "../../../rules/limits.js";
import type { VenDraft } from "../../../rules/ven-draft.js";
import { Checkbox, Field, Select, TextArea } from "../../../ui/field.js";
import type { Draft } from "../../../ui/use-draft.js";

/** How a VEN gets its events, and what they are aimed at. */
export const VenFields = ({ draft }: { readonly draft: Draft<VenDraft> }) => (
  <>
    <Select
      label="Gets its events by"
      choices={[
        { value: "pull", label: "Polling: it asks every so often" },
        { value: "push", label: "Push: they are sent to its address" },
      ]}
      {...draft.text("way")}
      name="transport"
    />
    {draft.values.way === "push" && (
      <>
        <Field
          label="Address to push to"
          type="url"
          maxLength={ADDRESS_CHARACTERS}
          {...draft.text("push_url")}
          name="transport.push_url"
        />
        <TextArea
          label="Authority of its server (PEM, optional)"
          hint="Without one, those that the machine trusts."
          rows={4}
          {...draft.text("ca_certificate")}
          name="transport.ca_certificate"
        />
      </>
    )}
    <Field
      label="Polls every (seconds)"
      hint="After three times as long it counts as silent."
      type="number"
      min={1}
      max={MAX_POLL_SECONDS}
      {...draft.text("poll_interval")}
      name="poll_interval_seconds"
    />
    <Select
      label="Sites in events are called by"
      choices={[
        { value: "site_id", label: "Site id" },
        { value: "customer_location_id", label: "Location id, where a site has one" },
      ]}
      {...draft.text("resource")}
      name="targets.resource"
    />
    <Checkbox label="Events name the VEN as well" {...draft.tick("namesVen")} />
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
      hint="Ids of the sites whose dispatches it gets, one on each line. Without any: all of the account, those to come too."
      rows={3}
      {...draft.text("sites")}
    />
  </>
);
