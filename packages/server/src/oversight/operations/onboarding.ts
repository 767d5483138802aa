import { STATUS_LIMITS } from "@curtail/measure";
import { isNotified } from "../../dispatch/domain/dispatch.js";
import { performanceState } from "../../performance/domain/performance.js";
import type { LivePerformance } from "../../performance/operations/live/live-performance.js";
import { NoRoom } from "../../performance/operations/live/measuring-memory.js";
import type { Clock } from "../../platform/clock.js";
import type { Page, PageRequest } from "../../platform/page.js";
import { notFound, type Result } from "../../platform/refusal.js";
import type { StatusSetting } from "../../portfolio/domain/measurement.js";
import type { Certified } from "../domain/certified.js";
import {
  type OnboardingStep,
  onboardingSteps,
  type SiteTest,
  type TestResult,
  type Verification,
  verificationOf,
} from "../domain/onboarding.js";

/** What a site's onboarding needs to know about it. */
export interface OnboardingSite {
  readonly seq: number;
  readonly id: string;
  readonly name: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly displayedSince: Date | null;
  readonly meters: ReadonlyArray<{ readonly name: string; readonly completeness: number }>;
}

/** A test dispatch of a single site. */
export interface TestRecord {
  readonly siteId: string;
  readonly dispatchId: string;
  readonly start: Date;
  readonly end: Date | null;
  readonly notification: Date;
  readonly authorized: boolean;
  readonly changedAt: Date;
  readonly commitmentKw: number | null;
  readonly limits: StatusSetting | null;
  readonly learnt: boolean;
  /** The newest final result; null until there is one. */
  readonly result: TestResult | null;
}

/** Which sites to return: one, an account's, or all of accounts that are not disabled. */
interface OnboardingScope {
  readonly siteId: string | null;
  readonly accountId: string | null;
}

export interface OnboardingReader {
  /** In the order of creation, at most `limit`. */
  sites(scope: OnboardingScope, page: PageRequest, now: Date): Promise<readonly OnboardingSite[]>;
  /** Newest first. */
  tests(siteIds: readonly string[]): Promise<readonly TestRecord[]>;
}

/** The newest certificates of these accounts, as far as they have one. */
export type CertifiedOf = (accountIds: readonly string[]) => Promise<readonly Certified[]>;

export interface OnboardingPorts {
  readonly certifiedOf: CertifiedOf;
  readonly onboarding: OnboardingReader;
  readonly live: LivePerformance;
  readonly clock: Clock;
}

/** The onboarding state of a site. */
export interface Onboarding extends Judged {
  /** Of the systems of its account; null if they are not certified. */
  readonly certified: Certified | null;
}

interface Judged {
  readonly site: OnboardingSite;
  readonly steps: readonly OnboardingStep[];
  readonly verification: Verification | null;
}

export const siteOnboarding = async (ports: OnboardingPorts, siteId: string): Promise<Result<Onboarding>> => {
  const scope = { siteId, accountId: null };
  const now = ports.clock.now();
  const sites = await ports.onboarding.sites(scope, { after: null, limit: 1 }, now);
  // For a single site, waits for a test that nobody has looked at.
  const found = await judged(ports, sites, { scope, now, resultOf: (id) => measuredResult(ports.live, id) });
  const [onboarding] = await certified(ports, found);
  return onboarding ?? notFound("site");
};

/** With `open`, only sites that lack a step: each has to be read to find out, so a page may take several looks. */
export const listOnboarding = async (
  ports: OnboardingPorts,
  { accountId, open }: { readonly accountId: string | null; readonly open: boolean },
  { after, limit }: PageRequest,
): Promise<Page<Onboarding>> => {
  const scope = { siteId: null, accountId };
  const now = ports.clock.now();
  const size = Math.max(limit + 1, LEAST_READ);
  const found: Judged[] = [];
  let last: number | null = after;
  for (;;) {
    const sites = await ports.onboarding.sites(scope, { after: last, limit: size }, now);
    const some = await judged(ports, sites, { scope, now, resultOf: async (id) => resultAtHand(ports.live, id) });
    found.push(...(open ? some.filter(isOpen) : some));
    last = sites.at(-1)?.seq ?? null;
    if (found.length > limit || sites.length < size) break;
  }
  return {
    items: await certified(ports, found.slice(0, limit)),
    next: found.length > limit ? (found[limit - 1]?.site.seq ?? null) : null,
  };
};

const certified = async ({ certifiedOf }: OnboardingPorts, found: readonly Judged[]): Promise<Onboarding[]> => {
  const accountIds = [...new Set(found.map(({ site }) => site.accountId))];
  const byAccount = new Map((await certifiedOf(accountIds)).map((each) => [each.accountId, each]));
  return found.map((each) => ({ ...each, certified: byAccount.get(each.site.accountId) ?? null }));
};

const LEAST_READ = 200;

const isOpen = ({ steps }: Judged): boolean => steps.some(({ done }) => !done);

interface Judging {
  readonly scope: OnboardingScope;
  readonly now: Date;
  /** What was delivered in an ended dispatch without a final result. */
  readonly resultOf: (dispatchId: string) => Promise<TestResult | null>;
}

const judged = async (
  { onboarding }: OnboardingPorts,
  sites: readonly OnboardingSite[],
  judging: Judging,
): Promise<Judged[]> => {
  const records = await onboarding.tests(sites.map(({ id }) => id));
  const tests = new Map<string, SiteTest[]>(sites.map(({ id }) => [id, []]));
  for (const record of records) {
    // Before its notification time a dispatch does not exist for participants (G16).
    if (judging.scope.accountId !== null && !isNotified(record, judging.now)) continue;
    tests.get(record.siteId)?.push(await testFrom(record, judging));
  }
  return sites.map((site) => {
    const facts = { ...site, tests: tests.get(site.id) ?? [] };
    const verification = verificationOf(facts.tests);
    return { site, steps: onboardingSteps(facts, verification), verification };
  });
};

const testFrom = async (record: TestRecord, { now, resultOf }: Judging): Promise<SiteTest> => {
  const cancelled = record.authorized ? null : record.changedAt;
  const times = {
    startMs: record.start.getTime(),
    endMs: record.end?.getTime() ?? null,
    cancelledMs: cancelled?.getTime() ?? null,
  };
  const state = performanceState(times, now.getTime(), record.result !== null);
  const { dispatchId, start, end, learnt, commitmentKw } = record;
  return {
    dispatchId,
    state,
    start,
    end,
    overAt: state === "ended" || state === "final" ? earlier(end, cancelled) : null,
    learnt,
    commitmentKw,
    limits: record.limits ?? STATUS_LIMITS,
    result: state === "ended" ? await resultOf(dispatchId) : record.result,
  };
};

const earlier = (a: Date | null, b: Date | null): Date | null => (a === null || (b !== null && b < a) ? b : a);

const measuredResult = async (live: LivePerformance, dispatchId: string): Promise<TestResult | null> => {
  try {
    await live.current(dispatchId);
  } catch (error) {
    // It is measured when there is room; until then its result is unknown.
    if (!(error instanceof NoRoom)) throw error;
  }
  return resultAtHand(live, dispatchId);
};

const resultAtHand = (live: LivePerformance, dispatchId: string): TestResult | null => {
  const [site] = live.trackerNow(dispatchId)?.results() ?? [];
  if (site === undefined) return null;
  const { meanReductionKw, performance, coverage } = site.performance.toDate;
  return { meanReductionKw, performance, coverage, status: site.status };
};
