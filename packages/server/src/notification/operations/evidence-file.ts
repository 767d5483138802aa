import { localTime, localTimestamp } from "@curtail/measure";
import type { AccountStore } from "../../access/operations/account-ports.js";
import type { Dispatch } from "../../dispatch/domain/dispatch.js";
import { everyItem, type PageRequest } from "../../platform/page.js";
import type { Ports } from "../../platform/ports.js";
import { isRefusal, notFound, type Result } from "../../platform/refusal.js";
import type { Evidence, EvidencePlace } from "../domain/evidence.js";
import { type EvidenceQuestion, type EvidencingStores, listEvidence } from "./list-evidence.js";

export type EvidenceFileStores = EvidencingStores & {
  readonly accounts: Pick<AccountStore, "namesOf" | "formerNamesOf">;
};

/** All evidence of a dispatch, with what rows need besides. */
export interface EvidenceFile {
  readonly dispatch: Dispatch;
  /** The name that an account had then. */
  readonly accountNameAt: (accountId: string, at: Date) => string | null;
  /** A moment on the clocks of the program, with its offset. */
  readonly localTime: (at: Date) => string;
  readonly items: AsyncIterable<Evidence>;
}

export const evidenceFile = async (
  ports: Pick<Ports<EvidenceFileStores>, "stores" | "clock">,
  question: EvidenceQuestion,
): Promise<Result<EvidenceFile>> => {
  const dispatch = await ports.stores.dispatches.find(question.dispatchId);
  if (dispatch === null) return notFound("dispatch");
  const first = await listEvidence(ports, question, { after: null, limit: 1 });
  if (isRefusal(first)) return first;
  const accountIds = [...new Set(dispatch.sites.map(({ accountId }) => accountId))];
  const time = localTime(dispatch.program.timezone);
  return {
    dispatch,
    accountNameAt: await namesOverTime(ports.stores.accounts, accountIds),
    localTime: (at) => localTimestamp(at.getTime(), time),
    items: everyItem(async (page: PageRequest<EvidencePlace>) => {
      const found = await listEvidence(ports, question, page);
      // It was there a moment ago; dispatches are never deleted.
      if (isRefusal(found)) throw new Error(`the evidence of ${question.dispatchId} cannot be read: ${found.message}`);
      return found;
    }),
  };
};

const namesOverTime = async (
  accounts: EvidenceFileStores["accounts"],
  ids: readonly string[],
): Promise<EvidenceFile["accountNameAt"]> => {
  const [names, former] = [await accounts.namesOf(ids), await accounts.formerNamesOf(ids)];
  return (accountId, at) =>
    former.find((name) => name.accountId === accountId && name.until > at)?.name ?? names.get(accountId) ?? null;
};
