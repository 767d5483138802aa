import type { operator } from "@curtail/contract";
import { AddressLink } from "../../../ui/text-link.js";

/** Kinds of objects by the prefix of their ids. */
const pages: Readonly<Record<string, string>> = {
  acc: "accounts",
  dis: "dispatches",
  prg: "programs",
  site: "sites",
  ven: "vens",
};

/** Links to the object of an entry, or shows its id if it has no page any more. */
export const SubjectLink = ({ of }: { readonly of: operator.AuditEntry }) => {
  const page = pages[of.subject.split("_")[0] ?? ""];
  if (page === undefined || of.subject_kind === "other" || of.after === null)
    return <code className="text-xs text-muted">{of.subject}</code>;
  return <AddressLink to={`/operations/${page}/${of.subject}`}>{of.subject}</AddressLink>;
};
