import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNotify } from "../ui/notify.js";

/** What a change leaves behind: what to say, and what to do next. */
interface Changing<Answer> {
  /** Said when it worked. */
  readonly done?: string | ((answer: Answer) => string);
  readonly after?: (answer: Answer) => void;
}

/** A write: `run` sends it, everything on the page is asked anew after it, faults are shown. */
export const useChange = <Input, Answer>(
  run: (input: Input) => Promise<Answer>,
  { done, after }: Changing<Answer> = {},
) => {
  const queries = useQueryClient();
  const notify = useNotify();
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: run,
    onSuccess: (answer) => {
      void queries.invalidateQueries();
      if (done !== undefined) notify.good(typeof done === "string" ? done : done(answer));
      after?.(answer);
    },
    onError: (fault) => notify.bad(fault.message),
  });
  return { run: mutate, isPending, error, reset };
};
