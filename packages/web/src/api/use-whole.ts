import { useEffect } from "react";
import type { Listed } from "../ui/listed.js";

/** Loads all pages of a list, for tables that are searched and sorted in the browser. */
export const useWhole = <Item>(list: Listed<Item>): Listed<Item> & { readonly isWhole: boolean } => {
  const { more, isLoadingMore, isPending, error } = list;
  useEffect(() => {
    if (error === null && !isLoadingMore) more?.();
  }, [more, isLoadingMore, error]);
  return { ...list, isWhole: !isPending && more === null };
};
