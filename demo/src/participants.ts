import { type Simulator, type SiteSpec, simulatorOf } from "@curtail/simulation";
import { type Api, participantApi } from "./api.js";
import type { KnownAccount, KnownSite, Made } from "./memory.js";

export interface LiveSite {
  readonly spec: SiteSpec;
  readonly known: KnownSite;
  readonly simulate: Simulator;
}

/** An account of the fleet with its sites, calling the service with its own key. */
export interface Participant {
  readonly account: KnownAccount;
  readonly call: Api;
  /** Every other account registers a webhook; the rest poll. */
  readonly isTold: boolean;
  readonly sites: readonly LiveSite[];
}

export const participantsOf = (url: string, made: Made, fleet: readonly SiteSpec[]): readonly Participant[] =>
  made.accounts.map((account, at) => ({
    account,
    call: participantApi(url, account.key),
    isTold: at % 2 === 0,
    sites: fleet
      .filter((spec) => spec.account === account.name)
      .flatMap((spec) => {
        const known = made.sites.find(({ code }) => code === spec.code);
        return known === undefined ? [] : [{ spec, known, simulate: simulatorOf(spec) }];
      }),
  }));
