import { say } from "@curtail/words/page";
import { anchorChoices, type BaselineDraft, baselineChoices, methodFault } from "../../../rules/baseline.js";
import { Select, TextArea } from "../../../ui/field.js";
import type { Draft } from "../../../ui/use-draft.js";

/** The baseline setting of a program or enrolment. */
export const BaselineFields = ({
  draft,
  unset,
}: {
  readonly draft: Draft<BaselineDraft>;
  /** Label of the default. */
  readonly unset?: string;
}) => {
  const { baseline, method } = draft.values;
  return (
    <>
      <Select label={say("Baseline")} choices={baselineChoices(unset)} {...draft.text("baseline")} />
      {baseline === "method" && (
        <TextArea
          label={say("Method parameters (JSON)")}
          hint={say("See the measurement documentation for the format.")}
          fault={method === "" ? null : methodFault(draft.values)}
          rows={8}
          {...draft.text("method")}
          name="baseline.method"
        />
      )}
      {baseline !== "method" && baseline !== "" && (
        <Select
          label={say("Window counts back from")}
          choices={anchorChoices}
          {...draft.text("anchor")}
          name="baseline.anchor"
        />
      )}
    </>
  );
};
