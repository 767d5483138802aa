import type { operator } from "@curtail/contract";
import { NAME_CHARACTERS } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { useState } from "react";
import { callOperator } from "../../../api/call.js";
import { useOperator, useOperatorList } from "../../../api/use-call.js";
import { useFormChange } from "../../../api/use-change.js";
import { monthBefore, totalWords } from "../../../rules/statement.js";
import { Button } from "../../../ui/button.js";
import { Actions } from "../../../ui/dialog.js";
import { Field } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";
import { Fault, Waiting } from "../../../ui/state.js";
import { ListTable } from "../../../ui/table.js";
import { useDraft } from "../../../ui/use-draft.js";
import { useNow } from "../../../ui/use-now.js";

/** Which rules hold from when on, and the newest for earlier months, after a look at what that changes. */
export const AdoptRules = ({ writes, onDone }: { readonly writes: boolean; readonly onDone: () => void }) => {
  const { data, error } = useOperator("/rules", {});
  if (error !== null) return <Fault error={error} />;
  if (data === undefined) return <Waiting />;
  const first = data.items.map(({ from_month }) => from_month).toSorted()[0] ?? "";
  return (
    <>
      <ul className="list-disc pl-5">
        {data.items.map((each) => (
          <li key={each.adopted_at}>{adoptionWords(each)}</li>
        ))}
      </ul>
      {writes && first > FIRST_MONTH && <EarlierMonth onDone={onDone} />}
    </>
  );
};

/** From which the rules hold in an installation that began with them. */
const FIRST_MONTH = "2000-01";

const adoptionWords = ({ rules_version, from_month, by, reason }: operator.RulesAdoptions["items"][number]): string => {
  const of = { version: rules_version, month: from_month, by: by ?? "", reason: reason ?? "" };
  if (from_month === FIRST_MONTH)
    return by === null
      ? say("Version {version} holds in all months.", of)
      : say("Version {version} holds in all months, adopted by {by}: {reason}.", of);
  return by === null
    ? say("Version {version} holds from {month} on.", of)
    : say("Version {version} holds from {month} on, adopted by {by}: {reason}.", of);
};

const EarlierMonth = ({ onDone }: { readonly onDone: () => void }) => {
  const draft = useDraft({ from_month: monthBefore(useNow()), reason: "" });
  const [previewed, setPreviewed] = useState<string | null>(null);
  const { from_month } = draft.values;
  const reason = draft.values.reason.trim();
  const adopt = useFormChange(
    (body: { from_month: string; reason: string }) => callOperator("POST", "/rules/adopt", { body }),
    { done: say("The rules apply from then on. Statements are made again."), after: onDone },
  );
  const isPreviewed = previewed === from_month;
  return (
    <Form
      onSend={() => (isPreviewed ? adopt.run({ from_month, reason }) : setPreviewed(from_month))}
      error={adopt.error}
    >
      <p>{say("Results of earlier months are measured again, and statements that are not approved are made again.")}</p>
      <Field label={say("From month")} type="month" required {...draft.text("from_month")} />
      {isPreviewed && (
        <>
          <Differences from_month={from_month} />
          <Field
            label={say("Reason")}
            maxLength={NAME_CHARACTERS}
            hint={say("It cannot be undone.")}
            {...draft.text("reason")}
          />
        </>
      )}
      <Actions>
        <Button
          type="submit"
          look="primary"
          disabled={isPreviewed && reason === ""}
          busy={adopt.isPending && say("One moment…")}
        >
          {isPreviewed ? say("Adopt") : say("Preview", {}, "verb")}
        </Button>
      </Actions>
    </Form>
  );
};

const Differences = ({ from_month }: { readonly from_month: string }) => (
  <ListTable<operator.RulesDifference>
    label={say("What changes")}
    list={useOperatorList("/rules/preview", { query: { from_month, limit: 10 } })}
    keyOf={({ statement_id }) => statement_id}
    empty={say("No statements of these months.")}
    columns={[
      { head: say("Month"), cell: ({ month }) => month },
      { head: say("Account"), cell: ({ account_name }) => account_name },
      { head: say("Now", {}, "total before the change"), number: true, cell: ({ before }) => totalWords(before) },
      { head: say("Then", {}, "total after the change"), number: true, cell: ({ after }) => totalWords(after) },
      { head: say("Changes"), cell: changesWords },
    ]}
  />
);

const changesWords = ({ change_count, measured_again }: operator.RulesDifference): string =>
  measured_again
    ? say("{n, plural, one {# line} other {# lines}}", { n: change_count })
    : say("{n, plural, one {# line} other {# lines}}; too many results to measure again here", { n: change_count });
