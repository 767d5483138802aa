import { useOperator } from "../../../api/use-call.js";

/** Names of the accounts by id; the id where it is not known yet. */
export const useAccountNames = () => {
  const { data } = useOperator("/accounts", { query: { limit: 500 } });
  const names = new Map((data?.items ?? []).map(({ id, name }) => [id, name]));
  return { accounts: data?.items ?? [], nameOf: (id: string): string => names.get(id) ?? id };
};
