import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { count } from "../format/quantity.js";
import { Badge } from "../ui/badge.js";
import type { Listed } from "../ui/listed.js";
import { Exact } from "../ui/page-zone.js";
import { type Column, ListTable } from "../ui/table.js";

type Logged = operator.LoggedRequests;

/** Requests made with an account's keys, with errors and remedies. */
export const RequestLog = ({ list, empty }: { readonly list: Listed<Logged>; readonly empty: string }) => (
  <ListTable<Logged> label={say("Requests")} list={list} keyOf={({ id }) => id} empty={empty} columns={columns} />
);

const columns: readonly Column<Logged>[] = [
  {
    head: say("When"),
    wide: true,
    cell: ({ at }) => (
      <span className="whitespace-nowrap">
        <Exact at={at} />
      </span>
    ),
  },
  { head: say("Request"), cell: (request) => <Request of={request} /> },
  { head: say("Answer"), cell: ({ status }) => <Answer status={status} /> },
  { head: say("Count"), number: true, cell: (request) => count(request.count) },
  { head: say("Duration"), number: true, wide: true, cell: (request) => took(request) },
  { head: say("Key"), wide: true, cell: ({ key_id }) => <code className="text-xs">{key_id}</code> },
];

const Request = ({ of: { at, method, path, error, explanation } }: { readonly of: Logged }) => (
  <div className="max-w-3xl">
    <div className="text-muted md:hidden">
      <Exact at={at} />
    </div>
    <code className="break-all">
      {method} {path}
    </code>
    {error !== null && <p className="mt-1 break-words text-bad">{error}</p>}
    {explanation !== null && <p className="mt-0.5 text-muted">{explanation}</p>}
  </div>
);

const Answer = ({ status }: { readonly status: number }) => (
  <Badge tone={status >= 500 ? "bad" : status >= 400 ? "warn" : "good"}>{status}</Badge>
);

const took = ({ duration_ms, max_duration_ms, count: n }: Logged): string =>
  n === 1
    ? `${duration_ms.toFixed(0)} ms`
    : say("{ms} ms, at most {most}", { ms: duration_ms.toFixed(0), most: max_duration_ms.toFixed(0) });
