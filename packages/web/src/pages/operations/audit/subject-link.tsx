import type { operator } from "@curtail/contract";
import { AddressLink } from "../../../ui/text-link.js";

/** An id says by its beginning what it is of. */
const pages: Readonly<Record<string, string>> = {
  acc: "accounts",
  dis: "dispatches",
  prg: "programs",
  site: "sites",
  ven: "vens",
};

/** What was acted on: its page where there still is one, else its id. */
export const SubjectLink = ({ of }: { readonly of: operator.AuditEntry }) => {
  const page = pages[of.subject.split("_")[0] ?? ""];
  if (page === undefined || of.subject_kind === "other" || of.after === null)
    return <code className="text-xs text-muted">{of.subject}</code>;
  return <AddressLink to={`/operations/${page}/${of.subject}`}>{of.subject}</AddressLink>;
};
