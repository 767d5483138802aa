import type { operator, ReplyOf } from "@curtail/contract";

type Report = ReplyOf<typeof operator.getScenarioReport>;

/** Whether a participant's systems are ready: one failure says no; what was not seen leaves it open. */
export const verdictOf = (criteria: readonly Pick<Report["criteria"][number], "result">[]) => {
  const countOf = (wanted: string) => criteria.filter(({ result }) => result === wanted).length;
  const [failed, unseen] = [countOf("failed"), countOf("not_seen")];
  if (failed > 0) return { verdict: "not_ready", count: failed } as const;
  return unseen > 0 ? ({ verdict: "open", count: unseen } as const) : ({ verdict: "ready" } as const);
};
