/** A period in which a site was enrolled in a program with a commitment. */
export interface EnrolledPeriod {
  readonly programId: string;
  readonly programName: string;
  /** null: before the first record. */
  readonly fromMs: number | null;
  /** null: until now. */
  readonly toMs: number | null;
  readonly commitmentKw: number | null;
  /** When the site was enrolled, whatever its commitment was then; null: before the first record. */
  readonly sinceMs: number | null;
}

type Enrolled = Pick<EnrolledPeriod, "commitmentKw"> | null;

/** A change of an enrolment; null: not enrolled. Without a time: the enrolment as it is. */
export interface EnrolmentChange {
  readonly atMs: number | null;
  readonly before: Enrolled;
  readonly after: Enrolled;
}

type Open = Omit<EnrolledPeriod, "toMs">;

/** The periods of a site in a program, from all changes in their order, and the enrolment as it is, if there is one. */
export const periodsOf = (
  program: Pick<EnrolledPeriod, "programId" | "programName">,
  changes: readonly EnrolmentChange[],
): readonly EnrolledPeriod[] => {
  const periods: EnrolledPeriod[] = [];
  let open: Open | null = opened(program, changes[0]?.before ?? null, null, null);
  for (const { atMs, after } of changes) {
    // The enrolment as it is ends the list.
    if (atMs === null) return open === null ? periods : [...periods, { ...open, ...after, toMs: null }];
    if (open !== null) periods.push({ ...open, toMs: atMs });
    open = opened(program, after, atMs, open === null ? atMs : open.sinceMs);
  }
  return periods;
};

const opened = (
  program: Pick<EnrolledPeriod, "programId" | "programName">,
  enrolled: Enrolled,
  fromMs: number | null,
  sinceMs: number | null,
): Open | null => (enrolled === null ? null : { ...program, fromMs, sinceMs, commitmentKw: enrolled.commitmentKw });

/** Whether a period contains a moment. */
export const isHeldAt = ({ fromMs, toMs }: Pick<EnrolledPeriod, "fromMs" | "toMs">, ms: number): boolean =>
  (fromMs === null || fromMs <= ms) && (toMs === null || toMs > ms);
