/** What a service stores on the way to its first dispatch. Disabled accounts and their sites do not count. */
export interface FirstFacts {
  readonly accountId: string | null;
  /** The site that is furthest. */
  readonly siteId: string | null;
  readonly programId: string | null;
  readonly hasMeter: boolean;
  readonly hasEnrolment: boolean;
  /** A key of production that can be used, or claimed by its link. */
  readonly hasKey: boolean;
  /** A webhook, a VEN, a client or a contact of production, or systems that poll. */
  readonly hasChannel: boolean;
  readonly hasReading: boolean;
  readonly hasDispatch: boolean;
  /** Sites that sent readings and whose data is not visible; not all are counted. */
  readonly hiddenSites: number;
}

/** More of them are not counted: a look at the board reads the readings of each. */
export const MOST_HIDDEN_SITES = 100;

/** In the order of a first day. */
export const firstSteps = (facts: FirstFacts) =>
  [
    { step: "account", done: facts.accountId !== null },
    { step: "site", done: facts.siteId !== null },
    { step: "meter", done: facts.hasMeter },
    { step: "program", done: facts.programId !== null },
    { step: "enrolment", done: facts.hasEnrolment },
    { step: "key", done: facts.hasKey },
    { step: "channel", done: facts.hasChannel },
    { step: "reading", done: facts.hasReading },
    { step: "dispatch", done: facts.hasDispatch },
  ] as const;
