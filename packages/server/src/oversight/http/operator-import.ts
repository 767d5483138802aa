import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { actorOf } from "../../access/caller/actor.js";
import { type RepeatablePorts, serveOnce } from "../../platform/http/serve-once.js";
import { isRefusal } from "../../platform/refusal.js";
import type { AccountPlan } from "../domain/import.js";
import { type ImportOutcome, type MeterPlan, meterOutcome, outcomeOf, type SitePlan } from "../domain/import-site.js";
import type { CheckedPlan, ImportStores } from "../operations/import-sites.js";
import { importSites, previewImport } from "../operations/import-sites.js";
import { csvTable } from "./csv-table.js";

/** One meter of a plan: a line of the file with its account and site. */
interface PlannedLine {
  readonly account: AccountPlan;
  readonly site: SitePlan;
  readonly meter: MeterPlan;
}

export const importRoutes = (app: FastifyInstance, ports: RepeatablePorts<ImportStores>): void => {
  serveOnce(app, operator.importSites, ports, async ({ body, request }, ports) => {
    const table = await csvTable(body.csv);
    const order = { table, isNearConfirmed: body.confirm_near_matches === true };
    const plan = body.dry_run ? await previewImport(ports, table) : await importSites(ports, actorOf(request), order);
    return isRefusal(plan) ? plan : toWire(plan, table.rows.length, body.dry_run);
  });
};

const toWire = (plan: CheckedPlan, lines: number, isDryRun: boolean): operator.ImportResult => {
  const outcomes = outcomesOf(plan.accounts);
  const planned = plannedLines(plan.accounts);
  return {
    dry_run: isDryRun,
    lines,
    create: countsOf(outcomes, "new"),
    change: countsOf(outcomes, "changed"),
    unchanged: countsOf(outcomes, "existing"),
    fault_count: plan.faults.length,
    faults: plan.faults.slice(0, operator.MAX_SHOWN_FAULTS).map((fault) => ({ ...fault })),
    near_matches: plan.nearMatches.slice(0, operator.MAX_SHOWN_FAULTS).map((match) => ({ ...match })),
    preview: planned.slice(0, operator.MAX_PREVIEW_LINES).map(lineToWire),
  };
};

type Outcomes = Readonly<Record<"accounts" | "sites" | "meters" | "enrolments", readonly ImportOutcome[]>>;

const outcomesOf = (accounts: readonly AccountPlan[]): Outcomes => {
  const sites = accounts.flatMap((account) => account.sites);
  return {
    accounts: accounts.map(accountOutcome),
    sites: sites.map((site) => outcomeOf(site)),
    meters: sites.flatMap((site) => site.meters.map(meterOutcome)),
    enrolments: sites.flatMap(({ enrolment }) => (enrolment === null ? [] : [outcomeOf(enrolment)])),
  };
};

const accountOutcome = ({ before }: AccountPlan) => (before === null ? "new" : "existing");

const countsOf = (outcomes: Outcomes, wanted: ImportOutcome): operator.ImportCounts => {
  const count = (of: keyof Outcomes): number => outcomes[of].filter((outcome) => outcome === wanted).length;
  return {
    accounts: count("accounts"),
    sites: count("sites"),
    meters: count("meters"),
    enrolments: count("enrolments"),
  };
};

const plannedLines = (accounts: readonly AccountPlan[]): PlannedLine[] =>
  accounts
    .flatMap((account) => account.sites.flatMap((site) => site.meters.map((meter) => ({ account, site, meter }))))
    .toSorted((a, b) => a.meter.line - b.meter.line);

const lineToWire = ({ account, site, meter }: PlannedLine): operator.ImportedLine => ({
  line: meter.line,
  account_name: account.name,
  account: accountOutcome(account),
  site_name: site.after.name,
  site: outcomeOf(site),
  meter_name: meter.name,
  meter: meterOutcome(meter),
  enrolment: site.enrolment === null ? null : outcomeOf(site.enrolment),
});
