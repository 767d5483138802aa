import { useNavigate, useSearch } from "@tanstack/react-router";
import type { Opening } from "../../ui/dialog-button.js";

/** Dialogs of a page that its address opens by `do`; a closed one leaves the address. */
export const useOpening = (): ((dialog: string) => Required<Opening>) => {
  const asked: { readonly do?: string } = useSearch({ strict: false });
  const navigate = useNavigate();
  const onClosed = () => void navigate({ to: ".", search: withoutDialog, replace: true, resetScroll: false });
  return (dialog) => ({ opened: asked.do === dialog, onClosed });
};

const withoutDialog = <Search extends { readonly do?: string }>(before: Search): Search => {
  const search: Search & { do?: string } = { ...before };
  delete search.do;
  return search;
};
