import { claimKey } from "@curtail/client";
import { operator } from "@curtail/contract";
import type { BenchService } from "./service.js";

const AT_ONCE = 16;

/** Creates accounts by the API; their keys, by id. */
export const accountsWithKeys = async (service: BenchService, count: number): Promise<Map<string, string>> => {
  const keys = new Map<string, string>();
  let next = 0;
  const create = async (): Promise<void> => {
    while (next++ < count) {
      const { id } = await service.operate(operator.createAccount, { body: { name: `Aggregator ${next}` } });
      const made = await service.operate(operator.createKey, { params: { id }, body: { environment: "production" } });
      keys.set(id, (await claimKey(made.claim_url)).api_key);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, create));
  return keys;
};
