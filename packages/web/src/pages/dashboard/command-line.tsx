import { say } from "@curtail/words/page";
import { useConsole } from "../../api/use-call.js";
import { commandLineSteps } from "../../rules/installing.js";
import { Card } from "../../ui/card.js";
import { CopyList } from "../../ui/copy-list.js";
import { Answered } from "../../ui/state.js";

/** How to get the command line from this service, and what to do with it first. */
export const CommandLine = ({ environment }: { readonly environment: "production" | "sandbox" }) => (
  <Card
    title={say("Command line")}
    actions={
      <a href="/docs/cli.html" className="text-accent underline">
        {say("All commands")}
      </a>
    }
  >
    <Answered of={useConsole("/account", {})}>
      {(account) => <CopyList items={commandLineSteps(account, environment)} />}
    </Answered>
  </Card>
);
