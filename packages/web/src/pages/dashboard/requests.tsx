import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { useConsoleList } from "../../api/use-call.js";
import { RequestLog } from "../../parts/request-log.js";
import { Button } from "../../ui/button.js";
import { Card, PageHead } from "../../ui/card.js";

const route = getRouteApi("/dashboard/requests");
const EVERY_MS = 10_000;

const filters = [
  { id: undefined, label: say("All") },
  { id: "error", label: say("Errors") },
  { id: "ok", label: say("Without errors") },
] as const;

interface Search {
  readonly status: string | undefined;
  readonly environment: string | undefined;
}

const searchOf = ({ status, environment }: Search) => ({
  ...(status === undefined ? {} : { status }),
  ...(environment === undefined ? {} : { environment }),
});

const environments = [
  { id: undefined, label: say("Production") },
  { id: "sandbox", label: say("Sandbox") },
] as const;

/** Requests made with the account's keys in the last 24 hours, with errors. */
export const RequestsPage = () => {
  const { status, environment } = route.useSearch();
  const isSandbox = environment === "sandbox";
  const navigate = route.useNavigate();
  const list = useConsoleList(
    "/requests",
    {
      query: {
        ...(isSandbox ? { environment: "sandbox" } : {}),
        ...(status === "error" || status === "ok" ? { status } : {}),
      },
    },
    { everyMs: EVERY_MS },
  );
  const show = (search: Search): void => void navigate({ search: searchOf(search) });
  return (
    <>
      <PageHead
        title={say("Request log")}
        lead={say(
          "Requests made with your API keys in the last 24 hours. Identical requests within a minute are counted together.",
        )}
      />
      <div role="group" aria-label={say("Environment of the keys")} className="mb-1.5 flex flex-wrap gap-1.5">
        {environments.map(({ id, label }) => (
          <Button
            key={label}
            look={(id === "sandbox") === isSandbox ? "primary" : "plain"}
            aria-pressed={(id === "sandbox") === isSandbox}
            onClick={() => show({ status, environment: id })}
          >
            {label}
          </Button>
        ))}
      </div>
      <div role="group" aria-label={say("Requests")} className="mb-3 flex flex-wrap gap-1.5">
        {filters.map(({ id, label }) => (
          <Button
            key={label}
            look={id === status ? "primary" : "plain"}
            aria-pressed={id === status}
            onClick={() => show({ status: id, environment })}
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
              ? say("No errors in the last 24 hours.")
              : say("No requests in the last 24 hours. See Get connected for how to send the first.")
          }
        />
      </Card>
    </>
  );
};
