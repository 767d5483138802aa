import { useEffect } from "react";
import type { Listed } from "../ui/listed.js";

/** A list whose pages are asked for until all are there: for what is searched and sorted here. */
export const useWhole = <Item>(list: Listed<Item>): Listed<Item> & { readonly isWhole: boolean } => {
  const { more, isLoadingMore, isPending, error } = list;
  useEffect(() => {
    if (error === null && !isLoadingMore) more?.();
  }, [more, isLoadingMore, error]);
  return { ...list, isWhole: !isPending && more === null };
};
