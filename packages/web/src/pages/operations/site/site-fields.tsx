import { NAME_CHARACTERS } from "@curtail/contract/constants";
import { AskedTimezone } from "../../../parts/timezone-field.js";
import { Field } from "../../../ui/field.js";
import type { Draft } from "../../../ui/use-draft.js";

export interface SiteDraft {
  name: string;
  customer_location_id: string;
  dispatch_group: string;
  timezone: string;
}

/** Names and group of a site. */
export const SiteFields = ({ draft }: { readonly draft: Pick<Draft<SiteDraft>, "text" | "set"> }) => (
  <>
    <Field label="Name" maxLength={NAME_CHARACTERS} {...draft.text("name")} />
    <Field
      label="Location id (optional)"
      hint="The owner's own identifier, such as a store number."
      maxLength={NAME_CHARACTERS}
      {...draft.text("customer_location_id")}
    />
    <Field
      label="Dispatch group (optional)"
      hint="Sites with the same group are dispatched together."
      maxLength={NAME_CHARACTERS}
      {...draft.text("dispatch_group")}
    />
    <AskedTimezone label="Time zone" {...draft.text("timezone")} onOffer={(timezone) => draft.set({ timezone })} />
  </>
);
