import type { Dispatch, DispatchPerformance } from "@curtail/contract";
import { say } from "@curtail/words/page";
import type { ReactNode } from "react";
import { byName } from "../../format/name-order.js";
import { count, energy, percent, plain, plainPercent, power } from "../../format/quantity.js";
import { exact, period } from "../../format/time.js";
import { methodSentences, reportState } from "../../rules/dispatch-report.js";
import { type IntervalTable, meanOf, sumOfSites } from "../../rules/interval-table.js";
import { isJudged } from "../../rules/judged.js";
import { whyNoBaseline } from "../../rules/service-sentences.js";
import { statusWords } from "../../rules/site-status.js";
import type { Told } from "../../rules/told-account.js";
import { Button } from "../../ui/button.js";
import { PageHead } from "../../ui/card.js";
import { versionReasons } from "../version-reasons.js";
import { ReportNotices } from "./notices.js";
import { LineKey, loadLines, PrintCurve, type PrintLine } from "./print-curve.js";
import { ReportTable } from "./table.js";
import { usePageFooter } from "./use-page-footer.js";

type Site = DispatchPerformance["sites"][number] & { readonly account_id?: string };

/** What a report is made of. */
export interface ReportOf {
  readonly dispatch: Dispatch & { readonly void_reason?: string | null };
  readonly performance: Omit<DispatchPerformance, "sites"> & { readonly sites: readonly Site[] };
  readonly table: IntervalTable;
  readonly told: readonly Told[];
  /** Who issued it; null if the reader does not see that. */
  readonly issuedBy: string | null;
  /** Names of accounts; null for a reader who sees one account. */
  readonly accountNames: ReadonlyMap<string, string> | null;
  readonly back: ReactNode;
}

/** A dispatch as a document to print: black on white, with a repeated head on each page of a table. */
export const DispatchReport = (of: ReportOf) => {
  const { dispatch, performance, table } = of;
  const zone = dispatch.program.timezone;
  usePageFooter(say("Dispatch {id}", { id: dispatch.id }));
  return (
    <article className="print-document">
      <PageHead
        title={say("Report of {program}", { program: dispatch.program.name })}
        tab={say("Report {program}", { program: dispatch.program.name })}
        lead={
          <>
            {period(dispatch.start_time, dispatch.end_time, zone)} ({zone})
            <span className="ml-3 print:hidden">{of.back}</span>
          </>
        }
        actions={
          <div className="print:hidden">
            <Button look="primary" onClick={() => window.print()}>
              {say("Print or save as PDF")}
            </Button>
          </div>
        }
      />
      <Facts {...of} />
      <Totals performance={performance} />
      <Section title={say("All sites")} isLong>
        <Curves dispatch={dispatch} performance={performance} table={table} />
      </Section>
      <Section title={say("Sites")} isLong>
        <SiteTable {...of} />
      </Section>
      <Section title={say("Curves of the sites")} isLong>
        <p className="mb-2 text-sm">{say("Load, baseline and target in kW.")}</p>
        <SiteCurves performance={performance} table={table} timeZone={zone} />
      </Section>
      <Section title={say("Notifications")} isLong>
        <ReportNotices told={of.told} timeZone={zone} />
      </Section>
      <Section title={say("Versions of the result")} isLong>
        <Versions performance={performance} timeZone={zone} />
      </Section>
      <Section title={say("How this is measured")}>
        {methodSentences.map((sentence) => (
          <p key={sentence} className="mb-1 text-sm">
            {sentence}
          </p>
        ))}
        <p className="text-sm">{say("For operations, not for settlement.")}</p>
      </Section>
    </article>
  );
};

const Section = ({
  title,
  isLong = false,
  children,
}: {
  readonly title: string;
  /** May extend over several pages. */
  readonly isLong?: boolean;
  readonly children: ReactNode;
}) => (
  <section className={`mt-6 ${isLong ? "" : "break-inside-avoid"}`}>
    <h2 className="mb-2 border-b border-line-strong pb-1 text-base font-semibold break-after-avoid">{title}</h2>
    {children}
  </section>
);

const Facts = ({ dispatch, performance, issuedBy }: ReportOf) => {
  const zone = dispatch.program.timezone;
  const issued = exact(dispatch.creation_time, zone);
  const facts: ReadonlyArray<readonly [string, string]> = [
    [say("Start", {}, "noun"), exact(dispatch.start_time, zone)],
    [say("End", {}, "noun"), dispatch.end_time === null ? say("not set yet") : exact(dispatch.end_time, zone)],
    [say("Issued"), issuedBy === null ? issued : say("{time}, by {person}", { time: issued, person: issuedBy })],
    [say("Changed"), say("{n, plural, =0 {never} one {# time} other {# times}}", { n: dispatch.modification_number })],
    [say("Sites"), say("{n, plural, one {# site} other {# sites}}", { n: performance.sites.length })],
    [say("Commitment"), power(performance.totals.commitment_kw)],
    [say("Result"), reportState(performance)],
    [say("Computed"), exact(performance.as_of, zone)],
    ...(dispatch.test
      ? [[say("Test", {}, "noun"), say("A test dispatch, not a response to the market.")] as const]
      : []),
    ...(typeof dispatch.void_reason === "string" ? [[say("Voided because"), dispatch.void_reason] as const] : []),
    [say("Identifier"), dispatch.id],
  ];
  return (
    <dl className="grid grid-cols-[8rem_1fr] gap-x-4 gap-y-0.5 text-sm">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
};

const Totals = ({ performance: { totals, state } }: Pick<ReportOf, "performance">) => {
  const { to_date } = totals;
  const figures: ReadonlyArray<readonly [string, string]> = [
    [say("Average delivered"), power(to_date.reduction_kw)],
    ...(isJudged(state) ? [[say("Performance"), percent(to_date.performance)] as const] : []),
    [say("Energy delivered"), energy(totals.delivered_energy_kwh)],
    [say("Energy committed"), energy(totals.committed_energy_kwh)],
    [say("Readings"), percent(totals.coverage)],
    [
      say("Measured"),
      say("{n} of {all, plural, one {# site} other {# sites}}", { n: count(to_date.sites), all: totals.sites }),
    ],
  ];
  return (
    <dl className="mt-5 grid break-inside-avoid grid-cols-2 gap-x-4 gap-y-2 border-y border-line-strong py-3 sm:grid-cols-3 lg:grid-cols-6 print:grid-cols-3">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt className="text-sm text-muted">{name}</dt>
          <dd className="text-lg font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  );
};

const Curves = ({ dispatch, performance, table }: Pick<ReportOf, "dispatch" | "performance" | "table">) => {
  const sums = sumOfSites(table);
  const zone = dispatch.program.timezone;
  const { commitment_kw } = performance.totals;
  const delivered: readonly PrintLine[] = [
    { label: say("Delivered (kW)"), of: ({ reductionKw }) => reductionKw, width: 2 },
    { label: say("Committed (kW)"), of: () => commitment_kw, dashes: "7 3" },
  ];
  if (sums.length === 0) return <p className="text-sm">{say("There are no intervals with load and baseline.")}</p>;
  return (
    <div className="grid gap-4 xl:grid-cols-2 print:grid-cols-1">
      {[
        { title: say("Delivered and committed"), lines: delivered },
        { title: say("Load, baseline and target, in kW"), lines: loadLines },
      ].map(({ title, lines }) => (
        <figure key={title} className="break-inside-avoid">
          <figcaption className="mb-1 text-sm font-medium">{title}</figcaption>
          <PrintCurve
            label={say("{title}, all sites", { title })}
            intervals={sums}
            lines={lines}
            timeZone={zone}
            size="large"
          />
          <LineKey lines={lines} />
        </figure>
      ))}
    </div>
  );
};

const named = (a: Site, b: Site): number => byName(a.name, b.name);

const SiteTable = ({ performance: { sites, state }, table, accountNames }: ReportOf) => (
  <ReportTable
    label={say("Sites")}
    rows={sites.toSorted(named)}
    keyOf={({ site_id }) => site_id}
    columns={[
      { head: say("Site"), cell: ({ name }) => name },
      ...(accountNames === null
        ? []
        : [{ head: say("Account"), cell: ({ account_id = "" }: Site) => accountNames.get(account_id) ?? account_id }]),
      {
        head: say("Baseline (kW)"),
        number: true,
        cell: ({ site_id }) => plain(meanOf(table.get(site_id) ?? [], "baselineKw")),
      },
      {
        head: say("Load (kW)"),
        number: true,
        cell: ({ site_id }) => plain(meanOf(table.get(site_id) ?? [], "loadKw")),
      },
      { head: say("Commitment (kW)"), number: true, cell: ({ commitment_kw }) => plain(commitment_kw) },
      { head: say("Delivered (kW)"), number: true, cell: ({ mean_reduction_kw }) => plain(mean_reduction_kw) },
      { head: say("Delivered (kWh)"), number: true, cell: ({ delivered_energy_kwh }) => plain(delivered_energy_kwh) },
      { head: say("Performance (%)"), number: true, cell: ({ performance }) => plainPercent(performance) },
      { head: say("Readings (%)"), number: true, cell: ({ coverage }) => plainPercent(coverage) },
      { head: say("Status"), cell: (site) => judgedWords(site, isJudged(state)) },
    ]}
  />
);

const judgedWords = ({ status, baseline, baseline_reason }: Site, isEvaluated: boolean): string => {
  if (baseline === "none")
    return baseline_reason === null
      ? say("no baseline")
      : say("no baseline: {reason}", { reason: whyNoBaseline(baseline_reason) });
  return isEvaluated ? statusWords(status) : say("not evaluated");
};

const SiteCurves = ({
  performance: { sites },
  table,
  timeZone,
}: Pick<ReportOf, "performance" | "table"> & { readonly timeZone: string }) => (
  <div className="grid grid-cols-2 gap-x-4 gap-y-3 md:grid-cols-3 xl:grid-cols-4 print:grid-cols-3">
    {sites.toSorted(named).map(({ site_id, name, performance }) => (
      <figure key={site_id} className="break-inside-avoid">
        <figcaption className="flex justify-between gap-2 text-xs">
          <span className="min-w-0 truncate font-medium">{name}</span>
          <span>{percent(performance)}</span>
        </figcaption>
        <PrintCurve
          label={say("Load, baseline and target of {name}", { name })}
          intervals={table.get(site_id) ?? []}
          lines={loadLines}
          timeZone={timeZone}
          size="small"
        />
      </figure>
    ))}
  </div>
);

const Versions = ({
  performance: { versions },
  timeZone,
}: Pick<ReportOf, "performance"> & { readonly timeZone: string }) =>
  versions.length === 0 ? (
    <p className="text-sm">{say("There is no final result yet.")}</p>
  ) : (
    <ReportTable
      label={say("Versions of the result")}
      rows={versions}
      keyOf={({ version }) => version}
      columns={[
        {
          head: say("Version"),
          cell: ({ version, standing }) =>
            standing === "standing" ? say("{version} (applies)", { version }) : version,
        },
        { head: say("Stored ({zone})", { zone: timeZone }), cell: ({ at }) => exact(at, timeZone) },
        { head: say("Why"), cell: ({ reason }) => versionReasons[reason] },
        { head: say("Note"), cell: ({ note }) => note ?? "" },
      ]}
    />
  );
