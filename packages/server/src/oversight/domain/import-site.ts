import { foldedName, nearTo } from "../../platform/near-match.js";
import { quote } from "../../platform/quote.js";
import type { Enrolment, Program } from "../../portfolio/domain/program.js";
import { type AssetType, type KwhMeans, type Meter, refuseKwhMeans, type Site } from "../../portfolio/domain/site.js";
import type { ImportFault, ImportLine } from "./import-lines.js";

type SiteSettings = Pick<Site, "name" | "customerLocationId" | "dispatchGroup" | "timezone">;

export interface MeterPlan {
  readonly line: number;
  /** null: to be created. */
  readonly before: Meter | null;
  readonly name: string;
  readonly assetType: AssetType;
  /** null: the file does not say. */
  readonly kwhMeans: KwhMeans | null;
}

export interface EnrolmentPlan {
  /** null: to be enrolled. */
  readonly before: Enrolment | null;
  readonly after: Pick<Enrolment, "programId" | "commitmentKw" | "baseline">;
}

/** The plan for a site. What the file does not give stays or, for a new site, gets its default. */
export interface SitePlan {
  /** First line of the site. */
  readonly line: number;
  /** null: to be created. */
  readonly before: Site | null;
  readonly after: SiteSettings;
  readonly meters: readonly MeterPlan[];
  readonly enrolment: EnrolmentPlan | null;
}

interface Surroundings {
  /** The account's sites. */
  readonly sites: readonly Site[];
  readonly programs: ReadonlyArray<{ readonly program: Program; readonly enrolments: readonly Enrolment[] }>;
  /** Names of all programs. */
  readonly programNames: readonly string[];
}

type Lines = readonly [ImportLine, ...ImportLine[]];

export const planSite = (
  lines: Lines,
  { sites, ...named }: Surroundings,
): { readonly site: SitePlan | null; readonly faults: readonly ImportFault[] } => {
  const faults: ImportFault[] = [];
  const agreed = <C extends AgreedColumn>(column: C) => agreedOf(lines, column, faults);
  const said = {
    name: agreed("site") ?? "",
    customerLocationId: agreed("customerLocationId"),
    dispatchGroup: agreed("dispatchGroup"),
    timezone: agreed("timezone"),
  };
  const program = agreed("program");
  const commitmentKw = agreed("commitmentKw");
  const { line } = lines[0];
  const before = findSite(said, sites);
  if (before === "several") {
    const message = "the account has several matching sites; rename them, or give each a customer_location_id";
    return { site: null, faults: [...faults, { line, column: "site", message }] };
  }
  const after = {
    name: said.name,
    customerLocationId: said.customerLocationId ?? before?.customerLocationId ?? "",
    dispatchGroup: said.dispatchGroup ?? before?.dispatchGroup ?? "",
    timezone: said.timezone ?? before?.timezone ?? "UTC",
  };
  const meters = lines.map((each) => planMeter(each, lines, before?.meters ?? [], faults));
  const enrolment = program === null ? null : planEnrolment({ line, program, commitmentKw, before }, named, faults);
  return { site: { line, before, after, meters, enrolment }, faults };
};

export type Outcome = "new" | "changed" | "existing";

export const outcomeOf = <T extends object>({
  before,
  after,
}: {
  readonly before: (T & object) | null;
  readonly after: Partial<T>;
}): Outcome => {
  if (before === null) return "new";
  const isSame = Object.entries(after).every(([name, value]) => before[name as keyof T] === value);
  return isSame ? "existing" : "changed";
};

export const meterOutcome = ({ before, name, assetType, kwhMeans }: MeterPlan): Outcome =>
  outcomeOf({ before, after: { name, assetType, ...(kwhMeans === null ? {} : { kwhMeans }) } });

const columnNames = {
  site: "site",
  customerLocationId: "customer_location_id",
  dispatchGroup: "dispatch_group",
  timezone: "timezone",
  program: "program",
  commitmentKw: "commitment_kw",
} as const;
type AgreedColumn = keyof typeof columnNames;

/** The value that the lines of a site agree on; empty cells agree with any. */
const agreedOf = <C extends AgreedColumn>(lines: Lines, column: C, faults: ImportFault[]): ImportLine[C] | null => {
  const first = lines.find((line) => line[column] !== null);
  if (first === undefined) return null;
  for (const line of lines) {
    if (line[column] === null || line[column] === first[column]) continue;
    const message = `is "${quote(String(line[column]))}", but "${quote(String(first[column]))}" on line ${first.line} of the same site; use the same value on both lines`;
    faults.push({ line: line.line, column: columnNames[column], message });
  }
  return first[column];
};

const findSite = (
  { name, customerLocationId }: { readonly name: string; readonly customerLocationId: string | null },
  sites: readonly Site[],
): Site | "several" | null => {
  const byIdentifier = sites.filter((site) => site.customerLocationId === customerLocationId);
  const byName = sites.filter(
    (site) => site.name === name && (customerLocationId === null || site.customerLocationId === ""),
  );
  const [found = null, ...others] = byIdentifier.length > 0 ? byIdentifier : byName;
  return others.length > 0 ? "several" : found;
};

const planMeter = (line: ImportLine, lines: Lines, meters: readonly Meter[], faults: ImportFault[]): MeterPlan => {
  const fault = (message: string) => faults.push({ line: line.line, column: "meter", message });
  const first = lines.find((each) => each.meter === line.meter);
  if (first !== undefined && first !== line)
    fault(`already appears on line ${first.line} for the same site; remove one of the lines`);
  const [before = null, ...others] = meters.filter((meter) => meter.name === line.meter);
  if (others.length > 0) fault(`the site has ${others.length + 1} meters with this name; rename all but one`);
  const { kwhMeans } = line;
  const assetType = line.assetType ?? before?.assetType ?? "load";
  if (kwhMeans !== null && refuseKwhMeans({ assetType, kwhMeans }) !== null)
    faults.push({
      line: line.line,
      column: "kwh_means",
      message: "is charge, which only a battery has; clear the cell",
    });
  return { line: line.line, before, name: line.meter, assetType, kwhMeans };
};

const cureOf = (program: string, names: readonly string[]): string => {
  const meant = nearTo(foldedName, names, program);
  return meant === null ? "create it or correct the name" : `did you mean "${quote(meant)}"?`;
};

interface WantedEnrolment {
  readonly line: number;
  readonly program: string;
  readonly commitmentKw: number | null;
  readonly before: Site | null;
}

const planEnrolment = (
  { line, program, commitmentKw, before: site }: WantedEnrolment,
  { programs, programNames }: Pick<Surroundings, "programs" | "programNames">,
  faults: ImportFault[],
): EnrolmentPlan | null => {
  const [found, ...others] = programs.filter((each) => each.program.name === program);
  if (found === undefined || others.length > 0) {
    const message =
      found === undefined
        ? `there is no program "${quote(program)}"; ${cureOf(program, programNames)}`
        : `there are ${others.length + 1} programs with this name; rename all but one`;
    faults.push({ line, column: "program", message });
    return null;
  }
  const before = found.enrolments.find(({ siteId }) => siteId === site?.id) ?? null;
  const after = {
    programId: found.program.id,
    commitmentKw: commitmentKw ?? before?.commitmentKw ?? null,
    baseline: before?.baseline ?? null,
  };
  return { before, after };
};
