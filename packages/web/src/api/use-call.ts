import type { CallByPath, CallInput, EndpointAt, PathOf, ReplyOf } from "@curtail/client";
import type { Endpoint } from "@curtail/contract";
import { keepPreviousData, type UseQueryResult, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { Listed } from "../ui/listed.js";
import {
  AUTH,
  type AuthEndpoint,
  CONSOLE,
  type ConsoleEndpoint,
  callAuth,
  callConsole,
  callOperator,
  OPERATOR,
  type OperatorEndpoint,
} from "./call.js";

export interface Asking {
  /** Interval at which the request is repeated. */
  readonly everyMs?: number;
  /** false: do not send the request yet. */
  readonly enabled?: boolean;
  /** Shows the previous data, for example of another period, until the new data arrives; another object needs another `key`. */
  readonly keep?: boolean;
}

/** The interval depends on the last reply; undefined before the first. */
interface AskingBy<Reply> extends Omit<Asking, "everyMs"> {
  readonly everyMs: (reply: Reply | undefined) => number;
}

type Use<All extends Endpoint> = <P extends PathOf<All, "GET">>(
  path: P,
  input: CallInput<EndpointAt<All, "GET", P>>,
  asking?: Asking | AskingBy<ReplyOf<EndpointAt<All, "GET", P>>>,
) => UseQueryResult<ReplyOf<EndpointAt<All, "GET", P>>>;

/** Keys are [base, path, input], so that changes can invalidate queries by a prefix. */
const useOf =
  <All extends Endpoint>(base: string, call: CallByPath<All>): Use<All> =>
  (path, input, { everyMs, enabled = true, keep = false } = {}) =>
    useQuery({
      queryKey: [base, path, input],
      queryFn: () => call("GET", path, input),
      enabled,
      ...(everyMs === undefined ? {} : { refetchInterval: intervalOf(everyMs) }),
      ...(keep ? { placeholderData: keepPreviousData } : {}),
    });

const intervalOf =
  <Reply>(everyMs: number | ((reply: Reply | undefined) => number)) =>
  ({ state }: { readonly state: { readonly data: Reply | undefined } }): number =>
    typeof everyMs === "number" ? everyMs : everyMs(state.data);

export const useOperator: Use<OperatorEndpoint> = useOf<OperatorEndpoint>(OPERATOR, callOperator);
export const useConsole: Use<ConsoleEndpoint> = useOf<ConsoleEndpoint>(CONSOLE, callConsole);

interface Page {
  readonly items: readonly unknown[];
  readonly next_cursor: string | null;
}
type ItemOf<T> = T extends { readonly items: readonly (infer Item)[] } ? Item : never;

type UseList<All extends Endpoint> = <P extends PathOf<All, "GET">>(
  path: P,
  input: CallInput<EndpointAt<All, "GET", P>>,
  asking?: Asking,
) => Listed<ItemOf<ReplyOf<EndpointAt<All, "GET", P>>>>;

const useListOf =
  <All extends Endpoint>(base: string, call: CallByPath<All>): UseList<All> =>
  <P extends PathOf<All, "GET">>(
    path: P,
    input: CallInput<EndpointAt<All, "GET", P>>,
    { everyMs, enabled = true }: Asking = {},
  ) => {
    const query = useInfiniteQuery({
      queryKey: [base, path, input, "pages"],
      queryFn: async ({ pageParam }) => (await call("GET", path, withCursor(input, pageParam))) as unknown as Page,
      initialPageParam: null as string | null,
      getNextPageParam: (page) => page.next_cursor,
      enabled,
      ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
    });
    return {
      items: (query.data?.pages ?? []).flatMap((page) => page.items) as ItemOf<ReplyOf<EndpointAt<All, "GET", P>>>[],
      isPending: query.isPending,
      error: query.error,
      retry: () => void query.refetch(),
      more: query.hasNextPage ? () => void query.fetchNextPage() : null,
      isLoadingMore: query.isFetchingNextPage,
    };
  };

const withCursor = <Input>(input: Input, cursor: string | null): Input => {
  if (cursor === null) return input;
  const { query } = input as { query?: object };
  return { ...input, query: { ...query, cursor } };
};

/** Lists of the operator API: `useOperatorList("/accounts", {})`. */
export const useOperatorList: UseList<OperatorEndpoint> = useListOf<OperatorEndpoint>(OPERATOR, callOperator);
/** Paged lists of what is the user's own. */
export const useAuthList: UseList<AuthEndpoint> = useListOf<AuthEndpoint>(AUTH, callAuth);
/** Paged lists of the participants' console. */
export const useConsoleList: UseList<ConsoleEndpoint> = useListOf<ConsoleEndpoint>(CONSOLE, callConsole);
