import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { OPERATOR } from "../../api/call.js";
import { useUser } from "../../api/session.js";
import { useOperator } from "../../api/use-call.js";
import { Found } from "../../parts/found.js";
import { StatementFiles } from "../../parts/statement-files.js";
import { StatementView } from "../../parts/statement-view.js";
import { mayWrite } from "../../rules/role.js";
import { mayApprove } from "../../rules/statement.js";
import { PageHead, Stack } from "../../ui/card.js";
import { PageTimes } from "../../ui/page-zone.js";
import { TextLink } from "../../ui/text-link.js";
import { useNow } from "../../ui/use-now.js";
import { ApproveStatement } from "./statement/approve-statement.js";

const route = getRouteApi("/operations/statements/$id");

/** One statement, as of the version that applies or an earlier one. */
export const StatementPage = () => {
  const { id } = route.useParams();
  const { version } = route.useSearch();
  const writes = mayWrite(useUser());
  const now = useNow();
  const query = version === undefined ? {} : { version };
  return (
    <Found
      of={useOperator("/statements/{id}", { params: { id }, query }, { everyMs: 30_000 })}
      what="statement"
      back="/operations/statements"
    >
      {(statement) => (
        <PageTimes
          isFixed
          timeZones={statement.programs.map(({ timezone }) => timezone)}
          whose={say("the programs", {}, "whose time zone")}
        >
          <PageHead
            title={`${statement.account_name}, ${statement.month}`}
            tab={say("{month} · Statement", { month: statement.month })}
            lead={<TextLink to="/operations/statements">{say("Statements")}</TextLink>}
            actions={writes && mayApprove(statement, now) && <ApproveStatement statement={statement} />}
          />
          <Stack>
            <StatementView statement={statement} linkTo={dispatchLink} page="/operations/statements/$id" />
            <StatementFiles base={OPERATOR} statement={statement} />
          </Stack>
        </PageTimes>
      )}
    </Found>
  );
};

const dispatchLink = (id: string, version: number | null, words: ReactNode) => (
  <TextLink
    to="/operations/dispatches/$id"
    params={{ id }}
    search={{ tab: "performance", ...(version !== null && { version }) }}
  >
    {words}
  </TextLink>
);
