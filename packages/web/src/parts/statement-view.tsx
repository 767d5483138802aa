import type { Statement } from "@curtail/contract";
import { say } from "@curtail/words/page";
import type { ReactNode } from "react";
import { count, decimal } from "../format/quantity.js";
import { exact } from "../format/time.js";
import { explained, kindWords, money, stateExplanations, stateTones, stateWords } from "../rules/statement.js";
import { termsWords } from "../rules/terms-draft.js";
import { Badge } from "../ui/badge.js";
import { Card, Stack } from "../ui/card.js";
import { usePageZone } from "../ui/page-zone.js";
import { sayParts } from "../ui/say-parts.js";
import { Table } from "../ui/table.js";
import { StatementVersions } from "./statement-versions.js";
import type { StatementPage } from "./version-link.js";

type Site = Statement["sites"][number];
type Line = Site["lines"][number];
type Program = Statement["programs"][number];

/** Links to a dispatch as of the version of its result. */
export type DispatchLink = (id: string, version: number | null, words: ReactNode) => ReactNode;

/** Sites shown with their lines; the files have all of them. */
const MAX_SITES = 100;

/** A statement as of a version: totals, and lines by program and site. */
export const StatementView = ({
  statement,
  linkTo,
  page,
}: {
  readonly statement: Statement;
  readonly linkTo: DispatchLink;
  readonly page: StatementPage;
}) => {
  const { state, waiting, totals, programs, hidden_sites, sites } = statement;
  const shown = sites.slice(0, MAX_SITES);
  const timeZone = usePageZone();
  return (
    <Stack>
      <Card title={say("Totals")} actions={<Badge tone={stateTones[state]}>{stateWords[state]}</Badge>}>
        <p className="mb-2 text-sm text-muted">{stateExplanations[state]}</p>
        {waiting.map(({ dispatch_id, start_time }) => (
          <p key={dispatch_id} className="text-sm">
            {sayParts("Waiting for the result of <a>the dispatch of {time}</a>.", {
              a: (inside) => linkTo(dispatch_id, null, inside),
              time: exact(start_time, timeZone),
            })}
          </p>
        ))}
        {hidden_sites > 0 && (
          <p className="text-sm">
            {say(
              "{n, plural, one {# site} other {# sites}} left out, because the operator has not made the data visible. The totals are those of the other sites.",
              { n: hidden_sites },
            )}
          </p>
        )}
        <Table
          label={say("Totals")}
          rows={totals}
          keyOf={({ currency }) => currency}
          empty={say("Nothing is owed.")}
          columns={[
            { head: say("Currency"), cell: ({ currency }) => currency },
            ...(["capacity", "energy", "penalty", "cap"] as const).map((kind) => ({
              head: kindWords[kind],
              number: true,
              wide: true,
              cell: (total: Statement["totals"][number]) => money(total[kind], total.currency),
            })),
            { head: say("Total"), number: true, cell: ({ total, currency }) => <b>{money(total, currency)}</b> },
          ]}
        />
      </Card>
      <Card title={say("Versions")}>
        <StatementVersions statement={statement} page={page} />
      </Card>
      {programs.map((program) => (
        <ProgramLines
          key={program.id}
          program={program}
          sites={shown.filter(({ program_id }) => program_id === program.id)}
          linkTo={linkTo}
        />
      ))}
      {sites.length > MAX_SITES && (
        <p className="text-muted">
          {say("The first {n} of {all} sites are shown. The files have all of them.", {
            n: count(MAX_SITES),
            all: count(sites.length),
          })}
        </p>
      )}
    </Stack>
  );
};

const ProgramLines = ({
  program: { name, terms, timezone, rules_version },
  sites,
  linkTo,
}: {
  readonly program: Program;
  readonly sites: readonly Site[];
  readonly linkTo: DispatchLink;
}) => (
  <Card title={name}>
    {termsWords(terms).map((words) => (
      <p key={words} className="text-sm text-muted">
        {words}
      </p>
    ))}
    <p className="text-sm text-muted">
      {say("Settled by version {version} of the rules.", { version: rules_version })}
    </p>
    {sites.map((site) => (
      <section key={site.site_id} className="mt-4">
        <h3 className="flex flex-wrap justify-between gap-2 font-medium">
          <span>{site.name}</span>
          <span>{money(site.total, terms.currency)}</span>
        </h3>
        <Table
          label={say("Lines of {site}", { site: site.name })}
          rows={site.lines}
          keyOf={(line) => `${line.kind} ${line.dispatch_id} ${line.words}`}
          empty={say("No lines.")}
          columns={[
            { head: say("Line", {}, "of a statement"), cell: ({ kind }) => kindWords[kind] },
            {
              head: say("For", {}, "column: what a line is for"),
              cell: (line) => <LineOf line={line} timezone={timezone} linkTo={linkTo} />,
            },
            {
              head: say("Quantity"),
              number: true,
              wide: true,
              cell: ({ quantity, unit }) => (quantity === null ? "–" : `${decimal(quantity)} ${unit}`),
            },
            {
              head: say("Price"),
              number: true,
              wide: true,
              cell: ({ price }) => (price === null ? "–" : decimal(price)),
            },
            {
              head: say("Factor"),
              number: true,
              wide: true,
              cell: ({ factor }) => (factor === null ? "–" : decimal(factor)),
            },
            { head: say("Amount"), number: true, cell: ({ amount }) => money(amount, terms.currency) },
          ]}
        />
      </section>
    ))}
  </Card>
);

const LineOf = ({
  line: { dispatch_id, start_time, version, words, shared_with },
  timezone,
  linkTo,
}: {
  readonly line: Line;
  readonly timezone: string;
  readonly linkTo: DispatchLink;
}) => (
  <>
    {dispatch_id !== null && (
      <div>
        {linkTo(dispatch_id, version, start_time === null ? dispatch_id : exact(start_time, timezone))}
        {version !== null && <span className="text-muted"> {say("result {version}", { version })}</span>}
      </div>
    )}
    <div className="text-muted">{explained(words)}</div>
    {[...new Map(shared_with.map((each) => [each.dispatch_id, each])).values()].map(({ dispatch_id: other, paid }) => (
      <div key={other}>
        {linkTo(other, null, paid === "here" ? say("The dispatch that is not paid") : say("The dispatch that is paid"))}
      </div>
    ))}
  </>
);
