import type { StatementItem } from "@curtail/contract";
import { say } from "@curtail/words/page";
import type { ReactNode } from "react";
import { stateTones, stateWords, totalWords } from "../rules/statement.js";
import { Badge } from "../ui/badge.js";
import type { Listed } from "../ui/listed.js";
import { type Column, ListTable } from "../ui/table.js";

/** Statements as of the versions that apply. */
export const StatementList = ({
  list,
  link,
  more = [],
  empty,
}: {
  readonly list: Listed<StatementItem>;
  readonly link: (item: StatementItem) => ReactNode;
  /** Columns after the month. */
  readonly more?: readonly Column<StatementItem>[];
  readonly empty: string;
}) => (
  <ListTable<StatementItem>
    label={say("Statements")}
    list={list}
    keyOf={({ id }) => id}
    empty={empty}
    columns={[
      { head: say("Month"), cell: link },
      ...more,
      { head: say("State"), cell: (item) => <StatementBadges item={item} /> },
      { head: say("Total"), number: true, cell: ({ totals }) => totalWords(totals) },
    ]}
  />
);

const StatementBadges = ({ item }: { readonly item: StatementItem }) => (
  <span className="flex flex-wrap gap-1">
    <Badge tone={stateTones[item.state]}>{stateWords[item.state]}</Badge>
    {item.waiting > 0 && (
      <Badge>{say("waiting for {n, plural, one {# result} other {# results}}", { n: item.waiting })}</Badge>
    )}
    {item.newest_version > item.version && <Badge tone="warn">{say("changed since")}</Badge>}
  </span>
);
