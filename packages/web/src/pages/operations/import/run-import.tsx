import type { operator } from "@curtail/contract";
import { useChange } from "../../../api/use-change.js";
import { ConfirmButton } from "../../../ui/dialog-button.js";
import { countWords, isNothing } from "./count-words.js";

type Result = operator.ImportResult;

/** Imports after a dry run and a confirmation. */
export const RunImport = ({
  result: { create, change },
  run,
  onDone,
}: {
  readonly result: Result;
  readonly run: () => Promise<Result>;
  readonly onDone: (result: Result) => void;
}) => {
  const write = useChange(run, { done: "File imported.", after: onDone });
  if (isNothing(create) && isNothing(change)) return null;
  return (
    <ConfirmButton
      label="Import"
      look="primary"
      title="Import the file?"
      run={() => write.run(undefined)}
      busy={write.isPending}
    >
      {!isNothing(create) && <p>New: {countWords(create)}.</p>}
      {!isNothing(change) && <p>Changed: {countWords(change)}.</p>}
      <p className="mt-2 text-muted">An import never deletes anything.</p>
    </ConfirmButton>
  );
};
