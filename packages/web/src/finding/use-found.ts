import { SEARCH_CHARACTERS } from "@curtail/contract/constants";
import { useEffect, useState } from "react";
import { useConsole, useOperator } from "../api/use-call.js";
import type { FoundChoice } from "../rules/finding.js";
import { operatorChoice, ownChoice } from "./found-choice.js";

export interface FoundChoices {
  readonly choices: readonly FoundChoice[];
  /** The answer to what is typed is still to come. */
  readonly isSearching: boolean;
  readonly error: Error | null;
}

const CALM_MS = 120;

const useCalm = (text: string): string => {
  const [calm, setCalm] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setCalm(text), CALM_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return calm;
};

/** What the service finds; asked once typing pauses. */
export const useFound = (side: string, typed: string): FoundChoices => {
  const text = typed.trim().slice(0, SEARCH_CHARACTERS);
  const q = useCalm(text);
  const isOperator = side === "/operations";
  const asked = { query: { q } };
  const everywhere = useOperator("/search", asked, { enabled: isOperator && q !== "", keep: true });
  const own = useConsole("/search", asked, { enabled: !isOperator && q !== "", keep: true });
  const { isFetching, isPlaceholderData, error } = isOperator ? everywhere : own;
  const choices = isOperator
    ? (everywhere.data?.items ?? []).map(operatorChoice)
    : (own.data?.items ?? []).map(ownChoice);
  return {
    choices: q === "" ? [] : choices,
    isSearching: text !== q || (q !== "" && (isFetching || isPlaceholderData)),
    error: q === "" ? null : error,
  };
};
