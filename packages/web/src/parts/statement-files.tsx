import { requestPath } from "@curtail/client";
import type { Statement } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { Download } from "../ui/button.js";
import { Card } from "../ui/card.js";

const tables = [
  ["results", say("Results (CSV)")],
  ["shared", say("Shared intervals (CSV)")],
  ["sites", say("Sites (CSV)")],
  ["commitments", say("Commitments (CSV)")],
  ["terms", say("Terms (CSV)")],
] as const;

/** The statement to print and as files, and what it is computed from. */
export const StatementFiles = ({
  base,
  statement: { id, version },
}: {
  /** Base path of the interface. */
  readonly base: string;
  readonly statement: Pick<Statement, "id" | "version">;
}) => {
  const of = (path: string, query: Record<string, string>) =>
    base + requestPath(path, { params: { id }, query: { ...query, version: String(version) } });
  return (
    <Card title={say("Files")}>
      <div className="flex flex-wrap items-center gap-3">
        <a
          href={of("/statements/{id}", { format: "html" })}
          target="_blank"
          rel="noreferrer"
          className="font-medium text-accent underline-offset-2 hover:underline"
        >
          {say("Print")}
        </a>
        <Download href={of("/statements/{id}", { format: "csv" })}>{say("Statement (CSV)")}</Download>
        {tables.map(([table, label]) => (
          <Download key={table} href={of("/statements/{id}/inputs", { table })}>
            {label}
          </Download>
        ))}
      </div>
      <p className="mt-1 text-sm text-muted">
        {say("The statement can be computed again from these tables: docs/statements.md shows how.")}
      </p>
    </Card>
  );
};
