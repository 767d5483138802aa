import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { callOperator } from "../../../api/call.js";
import { useOperatorList } from "../../../api/use-call.js";
import { useChange, useFormChange } from "../../../api/use-change.js";
import type { Program } from "../../../rules/program-draft.js";
import { newTermsDraft, type TermsDraft, termsDraft, termsOf, termsWords } from "../../../rules/terms-draft.js";
import { Card } from "../../../ui/card.js";
import { ConfirmButton, DialogButton } from "../../../ui/dialog-button.js";
import { ListTable } from "../../../ui/table.js";
import { TermsForm } from "./terms-form.js";

type ProgramTerms = operator.ProgramTerms;

/** What the sites of a program are paid for, by the month from which it holds. */
export const Terms = ({ program, writes }: { readonly program: Program; readonly writes: boolean }) => (
  <Card
    flush
    title={say("Terms", {}, "of payment")}
    actions={
      writes && (
        <DialogButton label={say("Set terms")} title={say("Terms of {program}", { program: program.name })}>
          {(close) => (
            <SetTerms id={program.id} initial={newTermsDraft(new Date().toISOString().slice(0, 7))} onDone={close} />
          )}
        </DialogButton>
      )
    }
  >
    <ListTable<ProgramTerms>
      label={say("Terms", {}, "of payment")}
      list={useOperatorList("/programs/{id}/terms", { params: { id: program.id } })}
      keyOf={({ from_month }) => from_month}
      empty={say("No terms. Statements leave this program out.")}
      columns={[
        {
          head: say("From", {}, "start of a period"),
          cell: ({ from_month }) => <span className="whitespace-nowrap">{from_month}</span>,
        },
        {
          head: say("Terms", {}, "of payment"),
          cell: ({ terms }) => termsWords(terms).map((words) => <p key={words}>{words}</p>),
        },
        ...(writes
          ? [{ head: say("Action"), cell: (terms: ProgramTerms) => <TermsActions program={program} of={terms} /> }]
          : []),
      ]}
    />
  </Card>
);

const TermsActions = ({ program: { id }, of }: { readonly program: Program; readonly of: ProgramTerms }) => {
  const { from_month } = of;
  const remove = useChange(
    () => callOperator("DELETE", "/programs/{id}/terms/{from_month}", { params: { id, from_month } }),
    { done: say("The terms were deleted.") },
  );
  return (
    <div className="flex flex-wrap gap-2">
      <DialogButton label={say("Change")} title={say("Terms from {month}", { month: from_month })}>
        {(close) => <SetTerms id={id} initial={termsDraft(of)} isKnown onDone={close} />}
      </DialogButton>
      <ConfirmButton
        label={say("Delete")}
        title={say("Delete the terms from {month}?", { month: from_month })}
        run={() => remove.run(undefined)}
        busy={remove.isPending}
      >
        {say("The terms before them hold on, if there are any. Statements that are not approved follow.")}
      </ConfirmButton>
    </div>
  );
};

const SetTerms = ({
  id,
  initial,
  isKnown = false,
  onDone,
}: {
  readonly id: string;
  readonly initial: TermsDraft;
  /** The month cannot be changed. */
  readonly isKnown?: boolean;
  readonly onDone: () => void;
}) => {
  const set = useFormChange(
    (draft: TermsDraft) =>
      callOperator("PUT", "/programs/{id}/terms/{from_month}", {
        params: { id, from_month: draft.from_month },
        body: termsOf(draft),
      }),
    { done: say("Saved. Statements that are not approved follow within a minute."), after: onDone },
  );
  return <TermsForm initial={initial} isKnown={isKnown} onSend={set.run} busy={set.isPending} error={set.error} />;
};
