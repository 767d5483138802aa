import { say } from "@curtail/words/page";
import type { EnrolmentTerms } from "../../../rules/enrolment-draft.js";
import { Field } from "../../../ui/field.js";
import type { Draft } from "../../../ui/use-draft.js";
import { BaselineFields } from "./baseline-fields.js";

/** What is agreed when sites are enrolled: the commitment, and the baseline if it is not the program's. */
export const EnrolmentFields = ({
  draft,
  of = "the site",
  hasBaseline = true,
}: {
  readonly draft: Draft<EnrolmentTerms>;
  /** `each site`: the fields are for several, of which some may be enrolled already. */
  readonly of?: "the site" | "each site";
  readonly hasBaseline?: boolean;
}) => (
  <>
    <Field {...words[of]} type="number" min={0} step="any" {...draft.text("commitment")} />
    {hasBaseline && <BaselineFields draft={draft} unset={say("Same as the program")} />}
  </>
);

const words = {
  "the site": {
    label: say("Commitment (kW)"),
    hint: say("The reduction that the site has committed to. Leave empty if none is agreed."),
  },
  "each site": {
    label: say("Commitment of each site (kW)"),
    hint: say("Leave empty if none is agreed. Sites that are enrolled already keep theirs."),
  },
} as const;
