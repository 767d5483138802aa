import type { LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ApiError } from "../api/call.js";
import { useUser } from "../api/session.js";
import { isOperator } from "../rules/role.js";
import { ButtonLink } from "../ui/button.js";
import { PageHead } from "../ui/card.js";
import { Answered } from "../ui/state.js";

/** The page of an object by its id, or "not found". For participants, objects of other accounts are not found either. */
export const Found = <T,>({
  of,
  what,
  back,
  all = `${what}s`,
  children,
}: {
  readonly of: { readonly data: T | undefined; readonly error: Error | null };
  /** Noun of the object, for example `dispatch`. */
  readonly what: string;
  readonly back: NonNullable<LinkProps["to"]>;
  /** Title of the list to go back to. */
  readonly all?: string;
  readonly children: (data: T) => ReactNode;
}) => {
  const where = isOperator(useUser()) ? `There is no ${what}` : `Your account has no ${what}`;
  return of.error instanceof ApiError && of.error.status === 404 ? (
    <>
      <PageHead
        title={`There is no such ${what}`}
        lead={`${where} at this address. It may have been removed, or the address is mistyped.`}
      />
      <ButtonLink to={back}>Show all {all}</ButtonLink>
    </>
  ) : (
    <Answered of={of}>{children}</Answered>
  );
};
