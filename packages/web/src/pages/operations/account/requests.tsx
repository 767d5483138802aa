import { say } from "@curtail/words/page";
import { useState } from "react";
import { useOperatorList } from "../../../api/use-call.js";
import type { EnvironmentName } from "../../../parts/environment.js";
import { RequestLog } from "../../../parts/request-log.js";
import { Card } from "../../../ui/card.js";
import { Select } from "../../../ui/field.js";
import { Filters } from "../../../ui/filters.js";

type Shown = "all" | "error" | "ok";

/** Requests of the participant's systems in the last 24 hours: the first place to look when their integration fails. */
export const Requests = ({ accountId }: { readonly accountId: string }) => {
  const [shown, setShown] = useState<Shown>("all");
  const [environment, setEnvironment] = useState<EnvironmentName>("production");
  const list = useOperatorList(
    "/accounts/{id}/requests",
    { params: { id: accountId }, query: shown === "all" ? { environment } : { environment, status: shown } },
    { everyMs: 15_000 },
  );
  return (
    <Card flush title={say("Requests in the last 24 hours")}>
      <Filters>
        <Select
          label={say("Environment")}
          choices={[
            { value: "production", label: say("Production") },
            { value: "sandbox", label: say("Sandbox") },
          ]}
          value={environment}
          onChange={({ target }) => setEnvironment(target.value as EnvironmentName)}
        />
        <Select
          label={say("Show")}
          choices={[
            { value: "all", label: say("All") },
            { value: "error", label: say("Errors") },
            { value: "ok", label: say("Without errors") },
          ]}
          value={shown}
          onChange={({ target }) => setShown(target.value as Shown)}
        />
      </Filters>
      <RequestLog
        list={list}
        empty={
          shown === "error"
            ? say("No errors in the last 24 hours.")
            : environment === "production"
              ? say("No requests with a key of production in the last 24 hours.")
              : say("No requests with a key of the sandbox in the last 24 hours.")
        }
      />
    </Card>
  );
};
