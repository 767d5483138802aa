import { say } from "@curtail/words/page";
import { useNavigate } from "@tanstack/react-router";
import { callOperator } from "../../../api/call.js";
import { useUser } from "../../../api/session.js";
import { useChange } from "../../../api/use-change.js";
import { isOperatorAdmin } from "../../../rules/role.js";
import { Button } from "../../../ui/button.js";
import { useDemo } from "./use-demo.js";

/** Offers the simulated fleet while the service has no accounts. */
export const StartDemo = () => {
  const { data } = useDemo();
  const isAdmin = isOperatorAdmin(useUser());
  const navigate = useNavigate();
  const start = useChange(() => callOperator("POST", "/demo", {}), {
    after: () => void navigate({ to: "/operations" }),
  });
  if (data === undefined || !data.can_start) return null;
  return (
    <section
      aria-label={say("Demo")}
      className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg bg-sunken px-3 py-2"
    >
      <p className="min-w-0 flex-1 basis-72">
        <span className="font-semibold">{say("Look around with a simulated fleet.")}</span> The demo adds accounts and
        sites with two weeks of readings and past dispatches. Its sites keep sending readings and respond to your
        dispatches. Nothing leaves the service. One click removes the demo; you can add accounts of your own afterwards.
        {!isAdmin && " An administrator can start it."}
      </p>
      {isAdmin && (
        <Button onClick={() => start.run(undefined)} busy={start.isPending && say("Starting…")}>
          {say("Start the demo")}
        </Button>
      )}
    </section>
  );
};
