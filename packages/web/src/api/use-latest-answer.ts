import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";

export interface LatestAnswer<Answer> {
  /** The last answer; null before the first. */
  readonly answer: Answer | null;
  /** Whether it is for the present key. */
  readonly isCurrent: boolean;
  readonly isPending: boolean;
  /** Why there is no answer for the present key. */
  readonly error: Error | null;
  /** Sends the request again after an error. */
  readonly again: () => void;
}

/**
 * Sends a request whenever its key changes, one at a time: of several changes meanwhile, only the last is sent. The last
 * answer stays until the next one. For requests that are too large to be repeated as queries are.
 *
 * @param key null: there is nothing to send
 */
export const useLatestAnswer = <Answer>(key: string | null, send: () => Promise<Answer>): LatestAnswer<Answer> => {
  const [answered, setAnswered] = useState<{ readonly key: string; readonly answer: Answer } | null>(null);
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: (_key: string) => send(),
    onSuccess: (answer, sent) => setAnswered({ key: sent, answer }),
  });
  useEffect(() => {
    if (key !== null && !isPending && key !== variables && key !== answered?.key) mutate(key);
  }, [key, isPending, variables, answered, mutate]);
  const isCurrent = key !== null && answered?.key === key;
  return {
    answer: answered?.answer ?? null,
    isCurrent,
    isPending,
    error: isPending || isCurrent || variables !== key ? null : error,
    again: () => key !== null && mutate(key),
  };
};
