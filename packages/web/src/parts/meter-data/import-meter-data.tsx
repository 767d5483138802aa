import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { useEffect, useRef, useState } from "react";
import { loadRefusals } from "../../api/refusal-words.js";
import { useChange } from "../../api/use-change.js";
import { type LatestAnswer, useLatestAnswer } from "../../api/use-latest-answer.js";
import { isStating } from "../../rules/column-statement.js";
import { emptyMeterData, importQuery, type MeterDataDraft, meterDataQuery } from "../../rules/meter-data-draft.js";
import { Button } from "../../ui/button.js";
import { Card, Stack } from "../../ui/card.js";
import { Fault } from "../../ui/state.js";
import { FileInput } from "./file-input.js";
import { Outcome } from "./outcome.js";
import { ReadingOf } from "./reading.js";
import type { MeterDataScope } from "./scope.js";

type Result = operator.MeterDataResult;

/** Imports meter data from a file. It is checked when it is chosen, and again after each answer. */
export const ImportMeterData = ({ scope, onDone }: { readonly scope: MeterDataScope; readonly onDone: () => void }) => {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [isWriting, setWriting] = useState(false);
  const choose = (file: File | null): void =>
    setChosen((before) => (file === null ? null : { file, turn: (before?.turn ?? 0) + 1 }));
  return (
    <Stack>
      <Card title={say("The file")}>
        <FileInput chosen={chosen?.file.name ?? null} disabled={isWriting} onChoose={choose} />
      </Card>
      {chosen !== null && (
        <Checked key={chosen.turn} file={chosen.file} scope={scope} onDone={onDone} onWriting={setWriting} />
      )}
    </Stack>
  );
};

/** What a file leaves open, and what is wrong with it, is said as refusals are. */
const sent = async (scope: MeterDataScope, ...[file, query]: Parameters<MeterDataScope["send"]>): Promise<Result> => {
  const result = await scope.send(file, query);
  await loadRefusals();
  return result;
};

interface Chosen {
  readonly file: File;
  readonly turn: number;
}

const Checked = ({
  file,
  scope,
  onDone,
  onWriting,
}: {
  readonly file: File;
  readonly scope: MeterDataScope;
  readonly onDone: () => void;
  /** Whether the file is being imported. */
  readonly onWriting: (isWriting: boolean) => void;
}) => {
  const [draft, setDraft] = useState<MeterDataDraft>(emptyMeterData);
  const state = useRef<HTMLDivElement>(null);
  const isThere = useIsThere();
  const query = meterDataQuery(draft);
  const trial = useLatestAnswer(JSON.stringify(query), () => sent(scope, file, { ...query, dry_run: true }));
  const write = useChange((used: Result) => sent(scope, file, { ...importQuery(draft, used), dry_run: false }), {
    done: ({ intervals }) => say("{n, plural, one {# interval} other {# intervals}} imported.", { n: intervals }),
    // Whoever has left meanwhile stays where they are.
    after: () => isThere() && onDone(),
  });
  useEffect(() => onWriting(write.isPending), [onWriting, write.isPending]);
  const { answer: result } = trial;
  const [guess, setGuess] = useState<Result | null>(null);
  if (trial.isCurrent && result !== guess && !isStating(draft.stated)) setGuess(result);
  return (
    <>
      <div ref={state} role="status" tabIndex={-1} className="px-1 font-medium outline-none empty:hidden">
        {stateWords(trial)}
      </div>
      {trial.error !== null && (
        <div>
          <Fault error={trial.error} />
          <Button onClick={trial.again}>{say("Check again")}</Button>
        </div>
      )}
      {result !== null && (
        <>
          <ReadingOf
            {...{ result, guess, scope, draft }}
            isCurrent={trial.isCurrent}
            onChange={setDraft}
            // The button that was the answer is gone afterwards: the keyboard goes on from here.
            onAnswered={() => state.current?.focus()}
          />
          <Outcome {...{ result, scope, draft }} onChange={setDraft}>
            <Button
              look="primary"
              disabled={!trial.isCurrent || result.fault_count > 0}
              busy={write.isPending && say("Importing…")}
              onClick={() => write.run(result)}
            >
              {result.intervals === 0
                ? say("Import", {}, "verb")
                : say("Import {n, plural, one {# interval} other {# intervals}}", { n: result.intervals })}
            </Button>
          </Outcome>
        </>
      )}
    </>
  );
};

/** Tells whether the page is still shown. */
const useIsThere = (): (() => boolean) => {
  const isThere = useRef(false);
  useEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
    };
  }, []);
  return () => isThere.current;
};

/** Empty only without a file to check: what has the focus must stay, also between an answer and the next check. */
const stateWords = ({ answer, isPending, isCurrent, error }: LatestAnswer<Result>): string => {
  if (isPending || (answer !== null && !isCurrent && error === null)) return say("Checking the file…");
  if (answer === null || !isCurrent) return "";
  const questions = answer.doubts?.length ?? 0;
  if (questions > 0)
    return say("The file leaves {n, plural, one {# question} other {# questions}} open.", { n: questions });
  return answer.fault_count > 0
    ? say("The file has {n, plural, one {# fault} other {# faults}}: nothing will be imported.", {
        n: answer.fault_count,
      })
    : say("The file can be imported.");
};
