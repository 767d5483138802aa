import { grouped } from "../../platform/grouped.js";
import { quote } from "../../platform/quote.js";
import { type Enrolment, type Program, simulatedAlone } from "../../portfolio/domain/program.js";
import { type AssetType, type KwhMeans, type Meter, refuseKwhMeans, type Site } from "../../portfolio/domain/site.js";
import type { ImportFault, ImportLine } from "./import-lines.js";

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
  readonly after: Pick<Site, "name" | "customerLocationId" | "dispatchGroup" | "timezone" | "latitude" | "longitude">;
  readonly meters: readonly MeterPlan[];
  readonly enrolment: EnrolmentPlan | null;
}

/** Sites of an account. */
export interface SitesByText {
  readonly byName: ReadonlyMap<string, readonly Site[]>;
  readonly byIdentifier: ReadonlyMap<string, readonly Site[]>;
}

export interface ProgramWithEnrolments {
  readonly program: Program;
  /** By site id. */
  readonly enrolments: ReadonlyMap<string, Enrolment>;
}

/** The present sites and programs that the lines of a site may mean, by the texts that lines use as their names. */
export interface Surroundings {
  readonly sites: SitesByText;
  /** Of the account. */
  readonly isSimulated: boolean;
  readonly programs: ReadonlyMap<string, readonly ProgramWithEnrolments[]>;
  /** The program that a wrong name may mean. */
  readonly meantProgram: (name: string) => string | null;
}

export type Lines = readonly [ImportLine, ...ImportLine[]];

interface PlannedSite {
  readonly site: SitePlan | null;
  readonly faults: readonly ImportFault[];
}

/** Lines of one step. */
const LINES_AT_ONCE = 50;

/** Plans the lines of a site, in steps. */
export function* planSite(lines: Lines, { sites, ...named }: Surroundings): Generator<undefined, PlannedSite> {
  const faults: ImportFault[] = [];
  const said = {
    name: (yield* agreedOf(lines, "site", faults)) ?? "",
    customerLocationId: yield* agreedOf(lines, "customerLocationId", faults),
    dispatchGroup: yield* agreedOf(lines, "dispatchGroup", faults),
    timezone: yield* agreedOf(lines, "timezone", faults),
    latitude: yield* agreedOf(lines, "latitude", faults),
    longitude: yield* agreedOf(lines, "longitude", faults),
  };
  const program = yield* agreedOf(lines, "program", faults);
  const commitmentKw = yield* agreedOf(lines, "commitmentKw", faults);
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
    latitude: said.latitude ?? before?.latitude ?? null,
    longitude: said.longitude ?? before?.longitude ?? null,
  };
  const meters = yield* planMeters(lines, before?.meters ?? [], faults);
  const enrolment = program === null ? null : planEnrolment({ line, program, commitmentKw, before }, named, faults);
  return { site: { line, before, after, meters, enrolment }, faults };
}

export type ImportOutcome = "new" | "changed" | "existing";

export const outcomeOf = <T extends object>({
  before,
  after,
}: {
  readonly before: (T & object) | null;
  readonly after: Partial<T>;
}): ImportOutcome => {
  if (before === null) return "new";
  const isSame = Object.entries(after).every(([name, value]) => before[name as keyof T] === value);
  return isSame ? "existing" : "changed";
};

export const meterOutcome = ({ before, name, assetType, kwhMeans }: MeterPlan): ImportOutcome =>
  outcomeOf({ before, after: { name, assetType, ...(kwhMeans === null ? {} : { kwhMeans }) } });

const columnNames = {
  site: "site",
  customerLocationId: "customer_location_id",
  dispatchGroup: "dispatch_group",
  timezone: "timezone",
  latitude: "latitude",
  longitude: "longitude",
  program: "program",
  commitmentKw: "commitment_kw",
} as const;
type AgreedColumn = keyof typeof columnNames;

/** The value that the lines of a site agree on; empty cells agree with any. */
function* agreedOf<C extends AgreedColumn>(
  lines: Lines,
  column: C,
  faults: ImportFault[],
): Generator<undefined, ImportLine[C] | null> {
  const first = lines.find((line) => line[column] !== null);
  if (first === undefined) return null;
  for (const [index, line] of lines.entries()) {
    if (isStepOver(index)) yield;
    if (line[column] === null || line[column] === first[column]) continue;
    const message = `is "${quote(String(line[column]))}", but "${quote(String(first[column]))}" on line ${first.line} of the same site; use the same value on both lines`;
    faults.push({ line: line.line, column: columnNames[column], message });
  }
  return first[column];
}

const isStepOver = (index: number): boolean => index % LINES_AT_ONCE === LINES_AT_ONCE - 1;

const findSite = (
  { name, customerLocationId }: { readonly name: string; readonly customerLocationId: string | null },
  { byName, byIdentifier }: SitesByText,
): Site | "several" | null => {
  const identified = customerLocationId === null ? [] : (byIdentifier.get(customerLocationId) ?? []);
  const named = (byName.get(name) ?? []).filter(
    (site) => customerLocationId === null || site.customerLocationId === "",
  );
  const [found = null, ...others] = identified.length > 0 ? identified : named;
  return others.length > 0 ? "several" : found;
};

function* planMeters(
  lines: Lines,
  existing: readonly Meter[],
  faults: ImportFault[],
): Generator<undefined, readonly MeterPlan[]> {
  const byName = grouped(existing, (meter) => meter.name);
  const firstLines = new Map<string, number>();
  const meters: MeterPlan[] = [];
  for (const [index, line] of lines.entries()) {
    if (isStepOver(index)) yield;
    const firstLine = firstLines.get(line.meter);
    if (firstLine === undefined) firstLines.set(line.meter, line.line);
    meters.push(planMeter(line, { firstLine, named: byName.get(line.meter) ?? [] }, faults));
  }
  return meters;
}

interface SameMeter {
  /** An earlier line of the meter. */
  readonly firstLine: number | undefined;
  /** The site's meters of that name. */
  readonly named: readonly Meter[];
}

const planMeter = (line: ImportLine, { firstLine, named }: SameMeter, faults: ImportFault[]): MeterPlan => {
  const fault = (message: string) => faults.push({ line: line.line, column: "meter", message });
  if (firstLine !== undefined) fault(`already appears on line ${firstLine} for the same site; remove one of the lines`);
  const [before = null, ...others] = named;
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

const cureOf = (meant: string | null): string =>
  meant === null ? "create it or correct the name" : `did you mean "${quote(meant)}"?`;

interface WantedEnrolment {
  readonly line: number;
  readonly program: string;
  readonly commitmentKw: number | null;
  readonly before: Site | null;
}

const planEnrolment = (
  { line, program, commitmentKw, before: site }: WantedEnrolment,
  { programs, meantProgram, isSimulated }: Omit<Surroundings, "sites">,
  faults: ImportFault[],
): EnrolmentPlan | null => {
  const [found, ...others] = programs.get(program) ?? [];
  if (found === undefined || others.length > 0) {
    const message =
      found === undefined
        ? `there is no program "${quote(program)}"; ${cureOf(meantProgram(program))}`
        : `there are ${others.length + 1} programs with this name; rename all but one`;
    faults.push({ line, column: "program", message });
    return null;
  }
  if (found.program.isSimulated !== isSimulated)
    faults.push({ line, column: "program", message: simulatedAlone.message });
  const before = (site === null ? null : found.enrolments.get(site.id)) ?? null;
  const after = {
    programId: found.program.id,
    commitmentKw: commitmentKw ?? before?.commitmentKw ?? null,
    baseline: before?.baseline ?? null,
  };
  return { before, after };
};
