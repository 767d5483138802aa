import { say } from "@curtail/words/page";
import type { LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ApiError } from "../api/call.js";
import { useUser } from "../api/session.js";
import { isOperator } from "../rules/role.js";
import { ButtonLink } from "../ui/button.js";
import { PageHead } from "../ui/card.js";
import { Answered } from "../ui/state.js";

interface Words {
  readonly missing: string;
  /** Why it may be, for operators and for participants. */
  readonly operators: string;
  readonly participants: string;
  readonly all: string;
}

const words = {
  account: {
    missing: say("There is no such account"),
    operators: say("There is no account at this address. It may have been removed, or the address is mistyped."),
    participants: "",
    all: say("Show all accounts"),
  },
  dispatch: {
    missing: say("There is no such dispatch"),
    operators: say("There is no dispatch at this address. It may have been removed, or the address is mistyped."),
    participants: say(
      "Your account has no dispatch at this address. It may have been removed, or the address is mistyped.",
    ),
    all: say("Show all dispatches"),
  },
  "OpenADR 3 client": {
    missing: say("There is no such OpenADR 3 client"),
    operators: say(
      "There is no OpenADR 3 client at this address. It may have been removed, or the address is mistyped.",
    ),
    participants: "",
    all: say("Show all OpenADR 3 clients"),
  },
  "OpenADR 3 event": {
    missing: say("There is no such OpenADR 3 event"),
    operators: say(
      "There is no OpenADR 3 event at this address. It may have been removed, or the address is mistyped.",
    ),
    participants: "",
    all: say("Show all OpenADR 3 events"),
  },
  program: {
    missing: say("There is no such program"),
    operators: say("There is no program at this address. It may have been removed, or the address is mistyped."),
    participants: "",
    all: say("Show all programs"),
  },
  "shift report": {
    missing: say("There is no such shift report"),
    operators: say("There is no shift report at this address. It may have been removed, or the address is mistyped."),
    participants: "",
    all: say("Show all shift reports"),
  },
  site: {
    missing: say("There is no such site"),
    operators: say("There is no site at this address. It may have been removed, or the address is mistyped."),
    participants: "",
    all: say("Show all sites"),
  },
  statement: {
    missing: say("There is no such statement"),
    operators: say("There is no statement at this address. It may have been removed, or the address is mistyped."),
    participants: say(
      "Your account has no statement at this address. It may have been removed, or the address is mistyped.",
    ),
    all: say("Show all statements"),
  },
  VEN: {
    missing: say("There is no such VEN"),
    operators: say("There is no VEN at this address. It may have been removed, or the address is mistyped."),
    participants: "",
    all: say("Show all accounts"),
  },
  webhook: {
    missing: say("There is no such webhook"),
    operators: "",
    participants: say(
      "Your account has no webhook at this address. It may have been removed, or the address is mistyped.",
    ),
    all: say("Show all webhooks"),
  },
} as const satisfies Readonly<Record<string, Words>>;

/** The page of an object by its id, or "not found". For participants, objects of other accounts are not found either. */
export const Found = <T,>({
  of,
  what,
  back,
  children,
}: {
  readonly of: { readonly data: T | undefined; readonly error: Error | null };
  readonly what: keyof typeof words;
  readonly back: NonNullable<LinkProps["to"]>;
  readonly children: (data: T) => ReactNode;
}) => {
  const { missing, operators, participants, all } = words[what];
  const lead = isOperator(useUser()) ? operators : participants;
  return of.error instanceof ApiError && of.error.status === 404 ? (
    <>
      <PageHead title={missing} lead={lead} />
      <ButtonLink to={back}>{all}</ButtonLink>
    </>
  ) : (
    <Answered of={of}>{children}</Answered>
  );
};
