import { useOperator } from "../../../api/use-call.js";
import {
  askSimulatedEveryMs,
  type FirstDispatch,
  phaseOf,
  type SimulatedSite,
  type TestPhase,
} from "../../../rules/first-test.js";
import { useNow } from "../../../ui/use-now.js";

/** The simulated site, its newest dispatch, and how far the test is. */
export interface FirstTest {
  readonly site: SimulatedSite;
  readonly latest: FirstDispatch | null;
  readonly phase: TestPhase;
}

const useSimulatedSite = () => useOperator("/simulated-site", {}, { everyMs: askSimulatedEveryMs });

/** Undefined until it is known. */
export const useFirstTest = (): FirstTest | undefined => {
  const now = useNow();
  const { data: site } = useSimulatedSite();
  const query = { program_id: site?.program_id ?? "", sites: "omit", limit: 1 } as const;
  const isThere = site !== undefined && site.state === "on";
  const { data } = useOperator("/dispatches", { query }, { enabled: isThere });
  if (site === undefined || (isThere && data === undefined)) return undefined;
  const latest = (isThere ? data?.items[0] : undefined) ?? null;
  return { site, latest, phase: phaseOf(site, latest, now) };
};
