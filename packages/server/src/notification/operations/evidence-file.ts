import { localTime, localTimestamp } from "@curtail/measure";
import type { AccountStore } from "../../access/operations/account-ports.js";
import type { Dispatch } from "../../dispatch/domain/dispatch.js";
import { everyItem, type PageRequest } from "../../platform/page.js";
import type { Ports } from "../../platform/ports.js";
import { isRefusal, notFound, type Result } from "../../platform/refusal.js";
import type { Evidence, EvidencePlace } from "../domain/evidence.js";
import { type EvidenceQuestion, type EvidencingStores, listEvidence } from "./list-evidence.js";

export type EvidenceFileStores = EvidencingStores & { readonly accounts: Pick<AccountStore, "namesOf"> };

/** All evidence of a dispatch, with what rows need besides. */
export interface EvidenceFile {
  readonly dispatch: Dispatch;
  readonly accountNames: ReadonlyMap<string, string>;
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
    accountNames: await ports.stores.accounts.namesOf(accountIds),
    localTime: (at) => localTimestamp(at.getTime(), time),
    items: everyItem(async (page: PageRequest<EvidencePlace>) => {
      const found = await listEvidence(ports, question, page);
      // It was there a moment ago; dispatches are never deleted.
      if (isRefusal(found)) throw new Error(`the evidence of ${question.dispatchId} cannot be read: ${found.message}`);
      return found;
    }),
  };
};
