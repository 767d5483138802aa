import { MAX_PAGE, SILENT_MINUTES } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { useOperatorList } from "../../api/use-call.js";
import { useWhole } from "../../api/use-whole.js";
import { count } from "../../format/quantity.js";
import { isStale, type SiteHealth } from "../../rules/site-health.js";
import { Figure, Figures, PageHead, Stack } from "../../ui/card.js";
import { Fault, Waiting } from "../../ui/state.js";
import { SiteHealthTable } from "./telemetry/site-health-table.js";

const EVERY_MS = 30_000;

/** Telemetry health of all sites; those that cannot be measured first. */
export const TelemetryPage = () => {
  const list = useWhole(useOperatorList("/telemetry-health", { query: { limit: MAX_PAGE } }, { everyMs: EVERY_MS }));
  return (
    <>
      <PageHead
        title={say("Telemetry health")}
        lead={say(
          "A site is stale when one of its reporting meters has been silent for {n, plural, one {# minute} other {# minutes}}.",
          { n: SILENT_MINUTES },
        )}
      />
      {list.error !== null && <Fault error={list.error} onRetry={list.retry} />}
      {list.isPending ? <Waiting /> : <Sites sites={list.items} isWhole={list.isWhole} />}
    </>
  );
};

const Sites = ({ sites, isWhole }: { readonly sites: readonly SiteHealth[]; readonly isWhole: boolean }) => {
  const stale = sites.filter(isStale);
  const called = stale.filter(({ in_dispatch }) => in_dispatch);
  return (
    <Stack>
      <Figures>
        <Figure
          label={say("Sites")}
          value={count(sites.length)}
          hint={isWhole ? say("across all accounts") : say("loading more")}
        />
        <Figure
          label={say("Reporting", {}, "sites")}
          value={count(sites.length - stale.length)}
          tone="good"
          hint={say("all meters up to date")}
        />
        <Figure
          label={say("Stale", {}, "sites")}
          value={count(stale.length)}
          tone={stale.length > 0 ? "warn" : "good"}
          hint={say("or never reported", {}, "sites")}
        />
        <Figure
          label={say("Stale during a dispatch", {}, "sites")}
          value={count(called.length)}
          tone={called.length > 0 ? "bad" : "good"}
          hint={say("cannot be measured: phone their accounts")}
        />
      </Figures>
      <SiteHealthTable sites={sites} />
    </Stack>
  );
};
