import type { operator } from "@curtail/contract";
import { resultWords } from "../../../rules/dispatch-result.js";
import { Badge, type Tone } from "../../../ui/badge.js";

type Result = operator.DispatchResult;

const tones: Readonly<Record<Result["state"], Tone>> = {
  pending: "info",
  final: "neutral",
  approved: "good",
  cancelled: "bad",
  voided: "bad",
};

/** State and version of a result. */
export const ResultBadge = ({ result }: { readonly result: Result }) => (
  <Badge tone={tones[result.state]}>{resultWords(result)}</Badge>
);
