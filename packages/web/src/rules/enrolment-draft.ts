import { type BaselineDraft, baselineDraft, baselineOf } from "./baseline.js";
import { newProgramDraft, settingsOf } from "./program-draft.js";

/** What an enrolment says of commitment and baseline, in the form. */
export interface EnrolmentTerms extends BaselineDraft {
  /** kW; empty if none is agreed. */
  readonly commitment: string;
}

/** An enrolment in the form; `program` is empty for a new one, which `name` and `timezone` describe. */
export interface EnrolmentDraft extends EnrolmentTerms {
  readonly program: string;
  readonly name: string;
  readonly timezone: string;
}

export const newEnrolmentDraft = (program: string, timezone: string): EnrolmentDraft => ({
  program,
  name: "",
  timezone,
  commitment: "",
  ...baselineDraft(null),
});

export const enrolmentBody = ({ commitment, ...baseline }: EnrolmentTerms) => ({
  commitment: commitment === "" ? null : Number(commitment),
  baseline: baselineOf(baseline),
});

export const newProgramBody = ({ name, timezone }: Pick<EnrolmentDraft, "name" | "timezone">) =>
  settingsOf({ ...newProgramDraft, name, timezone });

/** The programs in which a site is not enrolled yet. */
export const openPrograms = <P extends { readonly id: string }>(
  programs: readonly P[],
  enrolled: readonly { readonly program_id: string }[],
): readonly P[] => programs.filter(({ id }) => !enrolled.some(({ program_id }) => program_id === id));
