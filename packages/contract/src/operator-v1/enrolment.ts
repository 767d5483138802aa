import Type, { type Static } from "typebox";
import { MAX_ENROLLED_AT_ONCE } from "../constants.js";
import { endpoint } from "../endpoint.js";
import { byId, Commitment, givenId, id, nullable } from "../values.js";
import { BaselineSetting } from "./baseline.js";
import { confirmRunning } from "./confirm-running.js";

const siteIds = Type.Array(givenId("site"), {
  minItems: 1,
  maxItems: MAX_ENROLLED_AT_ONCE,
  description: `Sites of any accounts, at most ${MAX_ENROLLED_AT_ONCE}.`,
});

const done = (description: string) => Type.Array(id("site"), { description });

/** Not always an identifier: whatever was given comes back. */
const asGiven = Type.String({
  description: "What was given as the identifier of the site.",
  examples: ["site_9d4f7g2h5j8k", "site_unknown"],
});

const skipped = <const Reason extends string>(reasons: readonly Reason[], description: string, $id: string) =>
  Type.Array(
    Type.Object(
      { site_id: asGiven, reason: Type.Enum([...reasons], { description }) },
      { $id, description: "A site that was left as it is, and why." },
    ),
    { description: "Sites that were left as they are." },
  );

const Enrolled = Type.Object(
  {
    enrolled: done("Sites that are enrolled now and were not before."),
    skipped: skipped(
      ["already_enrolled", "not_found"],
      "`already_enrolled`: the enrolment keeps its commitment and baseline. `not_found`: there is no such site.",
      "SkippedEnrolment",
    ),
  },
  { $id: "EnrolmentResult", description: "Result of enrolling several sites." },
);
export type EnrolmentResult = Static<typeof Enrolled>;

const Withdrawn = Type.Object(
  {
    withdrawn: done("Sites that were withdrawn."),
    skipped: skipped(["not_enrolled"], "`not_enrolled`: the program does not have the site.", "SkippedWithdrawal"),
  },
  { $id: "WithdrawalResult", description: "Result of withdrawing several sites." },
);
export type WithdrawalResult = Static<typeof Withdrawn>;

export const enrolSites = endpoint({
  id: "enrolSites",
  method: "POST",
  path: "/programs/{id}/enrolments",
  once: "within",
  tag: "Programs",
  summary: "Enrol several sites",
  description:
    "All sites get the same commitment and baseline. Sites that are enrolled already are left as they are and returned with a reason, as are unknown ones; the others are enrolled.",
  params: byId("program"),
  body: Type.Object({
    site_ids: siteIds,
    commitment: Type.Optional(
      nullable(Commitment.anyOf[0], "Commitment of each site in kW; null for none. Default: null."),
    ),
    baseline: Type.Optional(nullable(BaselineSetting, "Baseline of these sites. Default: null, the program's.")),
  }),
  reply: Enrolled,
});
export const withdrawSites = endpoint({
  id: "withdrawSites",
  method: "POST",
  path: "/programs/{id}/withdrawals",
  once: "within",
  tag: "Programs",
  summary: "Withdraw several sites from a program",
  description:
    "New dispatches of the program leave the sites out; existing ones do not change. Sites that are not enrolled are returned with a reason; the others are withdrawn.",
  params: byId("program"),
  body: Type.Object({ site_ids: siteIds, confirm_running: confirmRunning }),
  reply: Withdrawn,
});
