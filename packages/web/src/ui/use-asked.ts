import { englishOf } from "@curtail/words/page";
import { useSearch } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";

/** How many parts of the page have an address; those of rows may be the same. */
const parts = new Map<string, number>();

const note = (address: string, by: 1 | -1): void => void parts.set(address, (parts.get(address) ?? 0) + by);

/** Opens a part once its address is that of the page, for example from a link; none of several of the same address. */
export const useAsked = (address: string, open: () => void): void => {
  const asked: { readonly do?: string } = useSearch({ strict: false });
  const isAsked = asked.do === address;
  const openIt = useEffectEvent(() => {
    if (parts.get(address) === 1) open();
  });
  useEffect(() => {
    note(address, 1);
    return () => note(address, -1);
  }, [address]);
  useEffect(() => {
    if (!isAsked) return;
    // After all parts of the page have noted theirs.
    const timer = setTimeout(() => openIt());
    return () => clearTimeout(timer);
  }, [isAsked]);
};

/** `Add contact` as an address: `add-contact`, whatever the language of the page is. */
export const addressOf = (label: string): string =>
  englishOf(label)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
