import { say } from "@curtail/words/page";
/** What became of sites that were enrolled or withdrawn together. */
export interface Outcome {
  readonly done: readonly string[];
  readonly skipped: readonly { readonly site_id: string; readonly reason: Reason }[];
}

export type Reason = "already_enrolled" | "not_found" | "not_enrolled";

export const reasonWords: Readonly<Record<Reason, string>> = {
  already_enrolled: say("already enrolled; its commitment and baseline stay"),
  not_found: say("no longer there"),
  not_enrolled: say("not enrolled in this program"),
};

export const joined = (outcomes: readonly Outcome[]): Outcome => ({
  done: outcomes.flatMap(({ done }) => done),
  skipped: outcomes.flatMap(({ skipped }) => skipped),
});

/** Parts of at most `size`, since a request takes no more. */
export const parts = <T>(all: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size));

/** The selection after a click on the box of one site. */
export const toggled = (chosen: ReadonlySet<string>, id: string): ReadonlySet<string> => {
  const next = new Set(chosen);
  if (!next.delete(id)) next.add(id);
  return next;
};
