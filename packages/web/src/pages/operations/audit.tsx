import type { operator } from "@curtail/contract";
import { MAX_PAGE } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { useOperatorList } from "../../api/use-call.js";
import { useWhole } from "../../api/use-whole.js";
import { Card, PageHead } from "../../ui/card.js";
import { Exact } from "../../ui/page-zone.js";
import { ListTable } from "../../ui/table.js";
import { AddressLink } from "../../ui/text-link.js";
import { AccountOf } from "./account-link.js";
import { AuditFilters, useAuditQuery } from "./audit/audit-filters.js";
import { ChangeList } from "./audit/change-list.js";
import { actionWords, actorWords } from "./audit/words.js";

/** The audit log. */
export const AuditPage = () => {
  const users = useWhole(useOperatorList("/users", { query: { limit: MAX_PAGE } })).items;
  return (
    <>
      <PageHead
        title={say("Audit log")}
        lead={say("All changes with time and user, newest first. Entries cannot be changed.")}
      />
      <Card flush>
        <AuditFilters users={users} />
        <ListTable<operator.AuditEntry>
          label={say("Audit log")}
          list={useOperatorList("/audit", { query: useAuditQuery() }, { everyMs: 30_000 })}
          keyOf={({ id }) => id}
          empty={say("No results. Change the filters.")}
          columns={[
            {
              head: say("When"),
              cell: ({ at, actor, actor_name }) => (
                <>
                  <div className="md:whitespace-nowrap">
                    <Exact at={at} />
                  </div>
                  <div className="break-words text-muted">{actorWords(actor, actor_name)}</div>
                </>
              ),
            },
            { head: say("What"), cell: (entry) => <What entry={entry} /> },
            {
              head: say("Account"),
              cell: ({ account_id }) => (account_id === null ? "–" : <AccountOf id={account_id} />),
              wide: true,
            },
          ]}
        />
      </Card>
    </>
  );
};

/** The change is shown next to the action, or below it on narrow screens. */
const What = ({ entry }: { readonly entry: operator.AuditEntry }) => (
  <div className="grid gap-x-6 gap-y-1 lg:grid-cols-[15rem_1fr]">
    <div>
      <div className="font-medium">{actionWords(entry.action)}</div>
      <div className="break-all">
        <SubjectLink of={entry} />
      </div>
    </div>
    {entry.subject_kind === "other" ? (
      <p className="text-muted">
        {say("Recorded by another version of the service. Its details cannot be shown here.")}
      </p>
    ) : (
      <ChangeList kind={entry.subject_kind} before={entry.before} after={entry.after} />
    )}
  </div>
);

/** Kinds of objects by the prefix of their ids. */
const pagesByPrefix: Readonly<Record<string, string>> = {
  acc: "accounts",
  dis: "dispatches",
  prg: "programs",
  site: "sites",
  ven: "vens",
};

/** Links to the object of an entry, or shows its id if it has no page any more. */
const SubjectLink = ({ of }: { readonly of: operator.AuditEntry }) => {
  const page = pagesByPrefix[of.subject.split("_")[0] ?? ""];
  if (page === undefined || of.subject_kind === "other" || of.after === null)
    return <code className="text-xs text-muted">{of.subject}</code>;
  return <AddressLink to={`/operations/${page}/${of.subject}`}>{of.subject}</AddressLink>;
};
