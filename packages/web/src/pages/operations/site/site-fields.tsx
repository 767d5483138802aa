import { NAME_CHARACTERS } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { AskedTimezone } from "../../../parts/timezone-field.js";
import { coordinatesOf } from "../../../rules/coordinates.js";
import { Field } from "../../../ui/field.js";
import type { Draft } from "../../../ui/use-draft.js";

export interface SiteDraft {
  name: string;
  customer_location_id: string;
  dispatch_group: string;
  timezone: string;
  coordinates: string;
}

const EXAMPLE = "41.878114, -87.629798";

const coordinatesFault = ({ coordinates }: Pick<SiteDraft, "coordinates">): string | null =>
  coordinatesOf(coordinates) === null
    ? say("Enter latitude and longitude in degrees, such as {example}, or clear the field.", { example: EXAMPLE })
    : null;

/** Whether the form can be sent. */
export const isComplete = (draft: Pick<SiteDraft, "coordinates">): boolean => coordinatesFault(draft) === null;

/** The body of a request that creates or changes a site. */
export const siteBody = ({ name, customer_location_id, dispatch_group, timezone, coordinates }: SiteDraft) => ({
  name,
  customer_location_id,
  dispatch_group,
  timezone,
  ...coordinatesOf(coordinates),
});

/** Names, group and place of a site. */
export const SiteFields = ({ draft }: { readonly draft: Pick<Draft<SiteDraft>, "text" | "set" | "values"> }) => (
  <>
    <Field label={say("Name")} maxLength={NAME_CHARACTERS} {...draft.text("name")} />
    <Field
      label={say("Location id (optional)")}
      hint={say("The owner's own identifier, such as a store number.")}
      maxLength={NAME_CHARACTERS}
      {...draft.text("customer_location_id")}
    />
    <Field
      label={say("Dispatch group (optional)")}
      hint={say("Sites with the same group are dispatched together.")}
      maxLength={NAME_CHARACTERS}
      {...draft.text("dispatch_group")}
    />
    <AskedTimezone
      label={say("Time zone")}
      {...draft.text("timezone")}
      onOffer={(timezone) => draft.set({ timezone })}
    />
    <Field
      label={say("Coordinates (optional)")}
      hint={say("Latitude and longitude in degrees, such as {example}. They put the site on the map.", {
        example: EXAMPLE,
      })}
      fault={coordinatesFault(draft.values)}
      maxLength={60}
      {...draft.text("coordinates")}
      name="latitude"
    />
  </>
);
