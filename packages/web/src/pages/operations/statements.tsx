import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { useUser } from "../../api/session.js";
import { useOperatorList } from "../../api/use-call.js";
import { StatementList } from "../../parts/statement-list.js";
import { mayWrite } from "../../rules/role.js";
import { stateWords } from "../../rules/statement.js";
import { Card, PageHead } from "../../ui/card.js";
import { DialogButton } from "../../ui/dialog-button.js";
import { Field, Select } from "../../ui/field.js";
import { Filters } from "../../ui/filters.js";
import { TextLink } from "../../ui/text-link.js";
import { AccountLink } from "./account-link.js";
import { AdoptRules } from "./statements/adopt-rules.js";
import { MakeStatements } from "./statements/make-statements.js";
import { useAccounts } from "./use-accounts.js";

const route = getRouteApi("/operations/statements");
type State = keyof typeof stateWords;
const isState = (state: string): state is State => state in stateWords;

/** Statements of all accounts. */
export const StatementsPage = () => {
  const { month = "", account = "", state = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const writes = mayWrite(useUser());
  const choose = (changed: { month?: string; account?: string; state?: string }) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
  const query = {
    ...(/^\d{4}-\d{2}$/.test(month) && { month }),
    ...(account !== "" && { account_id: account }),
    ...(isState(state) && { state }),
  };
  const accounts = useAccounts().items;
  return (
    <>
      <PageHead
        title={say("Statements")}
        lead={say("What is owed for a month, traced to results. No market's settlement rule is implied.")}
        actions={
          <>
            <DialogButton label={say("Rules")} title={say("Rules of results and statements")}>
              {(close) => <AdoptRules writes={writes} onDone={close} />}
            </DialogButton>
            {writes && (
              <DialogButton look="primary" label={say("Make statements")}>
                {(close) => <MakeStatements onDone={close} />}
              </DialogButton>
            )}
          </>
        }
      />
      <Card flush>
        <Filters>
          <Field
            label={say("Month")}
            type="month"
            value={month}
            onChange={({ target }) => choose({ month: target.value })}
          />
          <Select
            label={say("Account")}
            value={account}
            onChange={({ target }) => choose({ account: target.value })}
            choices={[
              { value: "", label: say("All accounts") },
              ...accounts.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
          <Select
            label={say("State")}
            value={state}
            onChange={({ target }) => choose({ state: target.value })}
            choices={[
              { value: "", label: say("All states") },
              ...Object.entries(stateWords).map(([value, label]) => ({ value, label })),
            ]}
          />
        </Filters>
        <StatementList
          list={useOperatorList("/statements", { query })}
          empty={say("No statements. Set terms of a program, then make the statements of a month.")}
          link={({ id, month: of }) => (
            <TextLink to="/operations/statements/$id" params={{ id }}>
              {of}
            </TextLink>
          )}
          more={[
            { head: say("Account"), cell: (item) => <AccountLink id={item.account_id} name={item.account_name} /> },
          ]}
        />
      </Card>
    </>
  );
};
