import { MAX_PAGE } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { useMemo, useState } from "react";
import { useOperatorList } from "../../../api/use-call.js";
import { useWhole } from "../../../api/use-whole.js";
import { count } from "../../../format/quantity.js";
import { type Told, toldAccounts } from "../../../rules/told-account.js";
import { Card } from "../../../ui/card.js";
import { Checkbox, Field } from "../../../ui/field.js";
import { ShowRest, useShownPart } from "../../../ui/shown-part.js";
import { Empty, Fault, Waiting } from "../../../ui/state.js";
import { TableFiles } from "../table-files.js";
import { useAccountNames } from "../use-accounts.js";
import { type Notified, useNotified } from "../use-notified.js";
import { AccountEvidence } from "./account-evidence.js";
import type { Dispatch } from "./dispatch.js";

const ACCOUNTS_AT_ONCE = 50;

/** Who was notified, by account. */
export const EvidenceTab = ({ dispatch }: { readonly dispatch: Dispatch }) => {
  const list = useWhole(
    useOperatorList("/dispatches/{id}/evidence", { params: { id: dispatch.id }, query: { limit: MAX_PAGE } }),
  );
  const names = useAccountNames();
  const notified = useNotified(dispatch.id);
  const told = useMemo(
    () => toldAccounts(dispatch, { evidence: list.items, names, notNotified: notified?.notNotified ?? null }),
    [dispatch, list.items, names, notified],
  );
  if (dispatch.record) return <Empty>{say("Nobody was notified: the dispatch was recorded after its end.")}</Empty>;
  if (list.isPending) return <Waiting />;
  return (
    <>
      {list.error !== null && <Fault error={list.error} />}
      <Accounts told={told} notified={notified} isWhole={list.isWhole} dispatch={dispatch} />
    </>
  );
};

const Accounts = ({
  told,
  notified,
  isWhole,
  dispatch,
}: {
  readonly told: readonly Told[];
  readonly notified: Notified | null;
  readonly isWhole: boolean;
  readonly dispatch: Dispatch;
}) => {
  const zone = dispatch.program.timezone;
  const [search, setSearch] = useState("");
  const [onlyOpen, setOnlyOpen] = useState(false);
  const open = told.filter(({ isNotified }) => isNotified === false);
  const found = (onlyOpen ? open : told).filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()));
  const part = useShownPart(found, ACCOUNTS_AT_ONCE);
  return (
    <Card
      title={
        notified === null
          ? say("{n, plural, one {# account} other {# accounts}}", { n: told.length })
          : notifiedWords(notified)
      }
      flush
      actions={<TableFiles path="/dispatches/{id}/evidence/download" params={{ id: dispatch.id }} />}
    >
      <p className="px-4 pb-2 text-sm text-muted">
        {say(
          "Notified of the latest change before the end: a channel delivered it, the account or its VEN read it, or a person called. Times are in {zone}.",
          { zone },
        )}
        {!isWhole && ` ${say("More evidence is being loaded.")}`}
      </p>
      <div className="grid items-center gap-x-4 px-4 pb-2 sm:grid-cols-2">
        <Field
          label={say("Search accounts")}
          type="search"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <Checkbox
          label={say("Only accounts that are not ({n})", { n: count(open.length) })}
          checked={onlyOpen}
          onChange={(event) => setOnlyOpen(event.target.checked)}
        />
      </div>
      <ul className="divide-y divide-line border-t border-line">
        {part.shown.map((each) => (
          <AccountEvidence key={each.accountId} told={each} dispatch={dispatch} isOpen={told.length <= 3} />
        ))}
      </ul>
      {found.length === 0 && <Empty>{say("No matching accounts.")}</Empty>}
      <ShowRest of={part} />
    </Card>
  );
};

const notifiedWords = ({ accounts, notNotified }: Notified): string =>
  say("{n} of {all, plural, one {# account} other {# accounts}} notified", {
    n: count(accounts - notNotified.size),
    all: accounts,
  });
