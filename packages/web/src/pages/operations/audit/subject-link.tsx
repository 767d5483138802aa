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
export const SubjectLink = ({
  of: { subject, after },
}: {
  readonly of: { readonly subject: string; readonly after: unknown };
}) => {
  const page = pages[subject.split("_")[0] ?? ""];
  if (page === undefined || after === null) return <code className="text-xs text-muted">{subject}</code>;
  return <AddressLink to={`/operations/${page}/${subject}`}>{subject}</AddressLink>;
};
