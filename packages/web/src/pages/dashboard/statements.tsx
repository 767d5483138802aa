import { say } from "@curtail/words/page";
import { useConsoleList } from "../../api/use-call.js";
import { StatementList } from "../../parts/statement-list.js";
import { Card, PageHead } from "../../ui/card.js";
import { TextLink } from "../../ui/text-link.js";

/** The account's statements. */
export const StatementsPage = () => (
  <>
    <PageHead
      title={say("Statements")}
      lead={say("What you are paid for a month, or pay, traced to the results of your sites.")}
    />
    <Card flush>
      <StatementList
        list={useConsoleList("/statements", {})}
        empty={say("No statements yet. The operator makes them for each month.")}
        link={({ id, month }) => (
          <TextLink to="/dashboard/statements/$id" params={{ id }}>
            {month}
          </TextLink>
        )}
      />
    </Card>
  </>
);
