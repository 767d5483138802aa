import { getRouteApi } from "@tanstack/react-router";
import { useConsoleList } from "../../api/use-call.js";
import { RequestLog } from "../../parts/request-log.js";
import { Button } from "../../ui/button.js";
import { Card, PageHead } from "../../ui/card.js";

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
        <RequestLog
          list={list}
          empty={
            status === "error"
              ? "No errors in the last 24 hours."
              : "No requests in the last 24 hours. Get connected says how to send the first."
          }
        />
      </Card>
    </>
  );
};
