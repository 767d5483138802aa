import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { useChange } from "../../../api/use-change.js";
import { ConfirmButton } from "../../../ui/dialog-button.js";
import { countWords, isNothing } from "./count-words.js";

type Result = operator.ImportResult;

/** Imports after a dry run and a confirmation. */
export const RunImport = ({
  result: { create, change, near_matches },
  run,
  onDone,
}: {
  readonly result: Result;
  readonly run: () => Promise<Result>;
  readonly onDone: (result: Result) => void;
}) => {
  const write = useChange(run, { done: say("File imported."), after: onDone });
  if (isNothing(create) && isNothing(change)) return null;
  return (
    <ConfirmButton
      label={say("Import", {}, "verb")}
      look="primary"
      title={say("Import the file?")}
      run={() => write.run(undefined)}
      busy={write.isPending}
    >
      {!isNothing(create) && <p>{say("New: {objects}.", { objects: countWords(create) })}</p>}
      {!isNothing(change) && <p>{say("Changed: {objects}.", { objects: countWords(change) })}</p>}
      {near_matches.length > 0 && (
        <p className="mt-2 text-warn">
          {say(
            "{n, plural, one {# name} other {# names}} of new objects almost the same as others. Import only if both are meant.",
            { n: near_matches.length },
          )}
        </p>
      )}
      <p className="mt-2 text-muted">{say("An import never deletes anything.")}</p>
    </ConfirmButton>
  );
};
