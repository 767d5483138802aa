import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { CONSOLE } from "../../api/call.js";
import { useConsole } from "../../api/use-call.js";
import { Found } from "../../parts/found.js";
import { StatementFiles } from "../../parts/statement-files.js";
import { StatementView } from "../../parts/statement-view.js";
import { PageHead, Stack } from "../../ui/card.js";
import { PageTimes } from "../../ui/page-zone.js";
import { TextLink } from "../../ui/text-link.js";

const route = getRouteApi("/dashboard/statements/$id");

/** One statement of the account. */
export const StatementPage = () => {
  const { id } = route.useParams();
  const { version } = route.useSearch();
  const query = version === undefined ? {} : { version };
  return (
    <Found
      of={useConsole("/statements/{id}", { params: { id }, query }, { everyMs: 30_000 })}
      what="statement"
      back="/dashboard/statements"
    >
      {(statement) => (
        <PageTimes
          isFixed
          timeZones={statement.programs.map(({ timezone }) => timezone)}
          whose={say("the programs", {}, "whose time zone")}
        >
          <PageHead
            title={say("Statement {month}", { month: statement.month })}
            lead={<TextLink to="/dashboard/statements">{say("Statements")}</TextLink>}
          />
          <Stack>
            <StatementView statement={statement} linkTo={dispatchLink} page="/dashboard/statements/$id" />
            <StatementFiles base={CONSOLE} statement={statement} />
          </Stack>
        </PageTimes>
      )}
    </Found>
  );
};

const dispatchLink = (id: string, version: number | null, words: ReactNode) => (
  <TextLink
    to="/dashboard/dispatches/$id"
    params={{ id }}
    search={{ tab: "performance", ...(version !== null && { version }) }}
  >
    {words}
  </TextLink>
);
