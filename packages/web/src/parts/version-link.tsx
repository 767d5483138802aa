import { say } from "@curtail/words/page";
import { Link } from "@tanstack/react-router";

/** Routes of the pages of what has versions, on both sides. */
export type DispatchPage = "/dashboard/dispatches/$id" | "/operations/dispatches/$id";
export type StatementPage = "/dashboard/statements/$id" | "/operations/statements/$id";

/** The version that applies has no number in its address, so that the page stays live. */
export const VersionLink = ({
  version,
  isStanding,
  page,
}: {
  readonly version: number;
  readonly isStanding: boolean;
  readonly page: DispatchPage | StatementPage;
}) => (
  <Link
    from={page}
    to="."
    search={({ version: _version, ...rest }) => (isStanding ? rest : { ...rest, version })}
    className="font-medium text-accent hover:underline"
  >
    {say("Version {version}", { version })}
  </Link>
);
