import { useMutation, useQueryClient } from "@tanstack/react-query";
import { faultWords } from "../ui/fault.js";
import { useNotify } from "../ui/notify.js";

/** What a change leaves behind: what to say, and what to do next. */
interface Changing<Answer> {
  /** Said when it worked. */
  readonly done?: string | ((answer: Answer) => string);
  readonly after?: (answer: Answer) => void;
}

/**
 * A write: `run` sends it, everything on the page is requested again afterwards; a fault is shown in a corner of the
 * page.
 */
export const useChange = <Input, Answer>(run: (input: Input) => Promise<Answer>, changing: Changing<Answer> = {}) => {
  const notify = useNotify();
  return useWrite(run, { ...changing, onFault: (fault) => notify.bad(faultWords(fault)) });
};

/** The same for a form, which is given the `error` and shows it at its fields. */
export const useFormChange = <Input, Answer>(run: (input: Input) => Promise<Answer>, changing: Changing<Answer> = {}) =>
  useWrite(run, { ...changing, onFault: () => undefined });

const useWrite = <Input, Answer>(
  run: (input: Input) => Promise<Answer>,
  { done, after, onFault }: Changing<Answer> & { readonly onFault: (fault: Error) => void },
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
    onError: onFault,
  });
  return { run: mutate, isPending, error, reset };
};
