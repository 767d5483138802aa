import type { operator } from "@curtail/contract";
import { getRouteApi } from "@tanstack/react-router";
import { useConsoleList } from "../../api/use-call.js";
import { count } from "../../format/quantity.js";
import { exact } from "../../format/time.js";
import { Badge } from "../../ui/badge.js";
import { Button } from "../../ui/button.js";
import { Card, PageHead } from "../../ui/card.js";
import { ListTable } from "../../ui/table.js";

type Logged = operator.LoggedRequests;

const route = getRouteApi("/dashboard/requests");
const EVERY_MS = 10_000;

const filters = [
  { id: undefined, label: "All" },
  { id: "error", label: "Errors" },
  { id: "ok", label: "Without errors" },
] as const;

/** What the account's keys asked in the last day, and what was wrong with it. */
export const RequestsPage = () => {
  const { status } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useConsoleList("/requests", status === "error" || status === "ok" ? { query: { status } } : {}, {
    everyMs: EVERY_MS,
  });
  return (
    <>
      <PageHead
        title="Request log"
        lead="What your systems asked in the last 24 hours, in production. Requests of a minute that are alike are counted together."
      />
      <div role="group" aria-label="Which requests" className="mb-3 flex flex-wrap gap-1.5">
        {filters.map(({ id, label }) => (
          <Button
            key={label}
            look={id === status ? "primary" : "plain"}
            aria-pressed={id === status}
            onClick={() => void navigate({ search: id === undefined ? {} : { status: id } })}
          >
            {label}
          </Button>
        ))}
      </div>
      <Card flush>
        <ListTable<Logged>
          label="Requests"
          list={list}
          keyOf={({ at, key_id, method, path, status: answer }) => `${at} ${key_id} ${method} ${path} ${answer}`}
          empty={
            status === "error"
              ? "No errors in the last 24 hours."
              : "No requests in the last 24 hours. Get connected says how to send the first."
          }
          columns={[
            { head: "When", wide: true, cell: ({ at }) => <span className="whitespace-nowrap">{exact(at)}</span> },
            { head: "Request", cell: (request) => <Request of={request} /> },
            { head: "Answer", cell: ({ status: answer }) => <Answer status={answer} /> },
            { head: "Count", number: true, cell: (request) => count(request.count) },
            { head: "Duration", number: true, wide: true, cell: (request) => took(request) },
            { head: "Key", wide: true, cell: ({ key_id }) => <code className="text-xs">{key_id}</code> },
          ]}
        />
      </Card>
    </>
  );
};

const Request = ({ of: { at, method, path, error, explanation } }: { readonly of: Logged }) => (
  <div className="max-w-3xl">
    <div className="text-muted md:hidden">{exact(at)}</div>
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
  n === 1 ? `${duration_ms.toFixed(0)} ms` : `${duration_ms.toFixed(0)} ms, at most ${max_duration_ms.toFixed(0)}`;
