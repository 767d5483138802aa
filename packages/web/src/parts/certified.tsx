import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { certifiedWords, passedWords } from "./certified-words.js";

/** What the certificate of an account's systems says, in two lines. */
export const Certified = ({ of }: { readonly of: operator.CertifiedIntegration | null }) =>
  of === null ? (
    <span className="text-muted">{say("Not certified yet")}</span>
  ) : (
    <>
      {certifiedWords(of)}
      <div className="text-sm text-muted">{passedWords(of)}</div>
    </>
  );
