import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { useState } from "react";
import { callOperator } from "../../api/call.js";
import { loadRefusals } from "../../api/refusal-words.js";
import { useUser } from "../../api/session.js";
import { useChange } from "../../api/use-change.js";
import { mayWrite } from "../../rules/role.js";
import { Button } from "../../ui/button.js";
import { Card, PageHead, Stack } from "../../ui/card.js";
import { Empty } from "../../ui/state.js";
import { useIsDemoThere } from "./demo/use-demo.js";
import { NextStep } from "./first-steps/next-step.js";
import { CsvInput } from "./import/csv-input.js";
import { Format } from "./import/format.js";
import { ImportFaults, ImportOutcome, NearMatches } from "./import/import-outcome.js";
import { RunImport } from "./import/run-import.js";

/** Imports accounts, sites and meters from a file, after a dry run. */
export const ImportPage = () => (
  <>
    <PageHead
      title={say("Import", {}, "noun")}
      lead={say("Import accounts, sites, meters and enrolments from a CSV file with one line per meter.")}
    />
    <NextStep />
    {mayWrite(useUser()) ? (
      <Import />
    ) : (
      <Card>
        <Empty>{say("Your role is read-only: auditors cannot import.")}</Empty>
      </Card>
    )}
  </>
);

interface Sent {
  readonly csv: string;
  readonly dryRun: boolean;
  readonly isNearConfirmed?: boolean;
}

const send = async ({ csv, dryRun, isNearConfirmed = false }: Sent): Promise<operator.ImportResult> => {
  const body = { csv, dry_run: dryRun, confirm_near_matches: isNearConfirmed };
  const result = await callOperator("POST", "/import", { body });
  // What is wrong with lines is said as refusals are.
  if (result.fault_count > 0 || result.near_matches.length > 0) await loadRefusals();
  return result;
};

/** A result is valid only for the file that was sent. */
interface Tried {
  readonly csv: string;
  readonly result: operator.ImportResult;
}

const Import = () => {
  const [csv, setCsv] = useState("");
  const [tried, setTried] = useState<Tried | null>(null);
  const keep = (result: operator.ImportResult) => setTried({ csv, result });
  const dryRun = useChange(send, { after: keep });
  const result = tried?.csv === csv ? tried.result : null;
  return (
    <Stack>
      <Card title={say("The file")}>
        {useIsDemoThere() && (
          <p className="mb-3 text-muted">
            {say(
              "While there is a demo, accounts cannot be added: a file with a new account is refused. Remove the demo first.",
            )}
          </p>
        )}
        <CsvInput csv={csv} onChange={setCsv} />
        <div className="mt-3 flex flex-wrap gap-2">
          <Button
            look={result === null ? "primary" : "plain"}
            disabled={csv.trim() === ""}
            onClick={() => dryRun.run({ csv, dryRun: true })}
            busy={dryRun.isPending && say("Checking…")}
          >
            {say("Dry run")}
          </Button>
          {result?.dry_run === true && result.fault_count === 0 && (
            <RunImport result={result} run={() => send({ csv, dryRun: false, isNearConfirmed: true })} onDone={keep} />
          )}
        </div>
        {tried !== null && result === null && (
          <p className="mt-2 text-muted">{say("The file has changed since the dry run. Run it again.")}</p>
        )}
      </Card>
      {result !== null && result.fault_count > 0 && <ImportFaults result={result} />}
      {result?.dry_run === true && result.near_matches.length > 0 && <NearMatches result={result} />}
      {result !== null && result.fault_count === 0 && <ImportOutcome result={result} />}
      <Format />
    </Stack>
  );
};
