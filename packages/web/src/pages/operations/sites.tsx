import type { operator, ReplyOf } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useUser } from "../../api/session.js";
import { useOperatorList } from "../../api/use-call.js";
import { mayWrite } from "../../rules/role.js";
import { toggled } from "../../rules/several-sites.js";
import { ButtonLink } from "../../ui/button.js";
import { Card, PageHead } from "../../ui/card.js";
import { Select } from "../../ui/field.js";
import { Filters, TextFilter } from "../../ui/filters.js";
import { type Column, ListTable } from "../../ui/table.js";
import { AccountLink } from "./account-link.js";
import { siteColumns } from "./site/site-columns.js";
import { Selection } from "./sites/selection.js";
import { TableFiles } from "./table-files.js";
import { useAccounts } from "./use-accounts.js";

const route = getRouteApi("/operations/sites");
type Row = ReplyOf<typeof operator.listAllSites>["items"][number];

/** The sites of all accounts. */
export const SitesPage = () => {
  const { search = "", account = "", group = "", located = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const { items: accounts } = useAccounts();
  const writes = mayWrite(useUser());
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const filter = (change: {
    readonly search?: string;
    readonly account?: string;
    readonly group?: string;
    readonly located?: string;
  }) => void navigate({ search: { search, account, group, located, ...change }, replace: true, resetScroll: false });
  const query = {
    ...(search === "" ? {} : { search }),
    ...(account === "" ? {} : { account_id: account }),
    ...(group === "" ? {} : { dispatch_group: group }),
    ...(located === "" ? {} : { located: located === "yes" }),
  };
  const list = useOperatorList("/sites", { query });
  return (
    <>
      <PageHead
        title={say("Sites")}
        lead={say("All sites that can be dispatched, across accounts.")}
        actions={
          <>
            <ButtonLink to="/operations/map">{say("Map")}</ButtonLink>
            <TableFiles path="/sites/download" query={query} />
          </>
        }
      />
      <Card flush>
        <Filters>
          <TextFilter
            label={say("Search")}
            placeholder={say("Name, location id or id")}
            value={search}
            onChange={(value) => filter({ search: value })}
          />
          <Select
            label={say("Account")}
            choices={[
              { value: "", label: say("All", {}, "accounts") },
              ...accounts.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            value={account}
            onChange={({ target }) => filter({ account: target.value })}
          />
          <TextFilter label={say("Dispatch group")} value={group} onChange={(value) => filter({ group: value })} />
          <Select
            label={say("Coordinates")}
            choices={locatedChoices}
            value={located}
            onChange={({ target }) => filter({ located: target.value })}
          />
        </Filters>
        {writes && list.items.length > 0 && <Selection list={list} chosen={chosen} onChoose={setChosen} />}
        <ListTable<Row>
          label={say("Sites")}
          list={list}
          keyOf={({ id }) => id}
          empty={
            search + account + group + located === ""
              ? say("No sites yet. Add them on the page of their account, or import a file with many.")
              : say("No matching sites. Change the filters.")
          }
          columns={writes ? [boxOf(chosen, setChosen), ...columns] : columns}
        />
      </Card>
    </>
  );
};

const locatedChoices = [
  { value: "", label: say("All") },
  { value: "yes", label: say("On the map") },
  { value: "no", label: say("Without coordinates") },
];

/** Selects a site. */
const boxOf = (chosen: ReadonlySet<string>, onChoose: (chosen: ReadonlySet<string>) => void): Column<Row> => ({
  head: say("Select", {}, "verb"),
  cell: ({ id, name }) => (
    <label className="grid size-6 place-items-center">
      <span className="sr-only">{say("Select {name}", { name })}</span>
      <input
        type="checkbox"
        className="size-4 accent-accent"
        checked={chosen.has(id)}
        onChange={() => onChoose(toggled(chosen, id))}
      />
    </label>
  ),
});

const [siteColumn, ...otherColumns] = siteColumns;
const accountColumn: Column<Row> = {
  head: say("Account"),
  cell: ({ account_id, account_name }) => <AccountLink id={account_id} name={account_name} />,
};
const columns: readonly Column<Row>[] = [
  ...(siteColumn === undefined ? [] : [siteColumn]),
  accountColumn,
  ...otherColumns,
];
