import type { operator, ReplyOf } from "@curtail/contract";

type Report = ReplyOf<typeof operator.getScenarioReport>;

/** Verdict on a participant's systems: not ready after one failure, open while a criterion was not seen. */
export const verdictOf = (criteria: readonly Pick<Report["criteria"][number], "result">[]) => {
  const countOf = (wanted: string) => criteria.filter(({ result }) => result === wanted).length;
  const [failed, unseen] = [countOf("failed"), countOf("not_seen")];
  if (failed > 0) return { verdict: "not_ready", count: failed } as const;
  return unseen > 0 ? ({ verdict: "open", count: unseen } as const) : ({ verdict: "ready" } as const);
};
