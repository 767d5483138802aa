import { useMutation, useQueryClient } from "@tanstack/react-query";
import { faultWords } from "../ui/fault.js";
import { useNotify } from "../ui/notify.js";

/** What happens after a successful change. */
interface Changing<Answer> {
  /** Success message. */
  readonly done?: string | ((answer: Answer) => string);
  readonly after?: (answer: Answer) => void;
  /** Whether the caller shows the fault itself. */
  readonly takes?: (fault: Error) => boolean;
}

/**
 * A write, sent by `run`. On success, all queries of the page are requested again; an error is shown as a toast.
 */
export const useChange = <Input, Answer>(run: (input: Input) => Promise<Answer>, changing: Changing<Answer> = {}) => {
  const notify = useNotify();
  const onFault = (fault: Error) => {
    if (changing.takes?.(fault) !== true) notify.bad(faultWords(fault));
  };
  return useWrite(run, { ...changing, onFault });
};

/** The same for a form, which shows the `error` at its fields. */
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
